# subreaper.pl OPTIONS -- COMMAND...
#
# Holds one command as a subreaper: whatever the command starts, however it detaches itself, becomes this process's
# child in the end, and when waitpid says ECHILD nothing is left. That is the proof; nothing else is called one.
#
# File descriptor 4 is a socket to the worker and its lifeline. The worker says `go`, later `dispose GRACE PROVE`
# (milliseconds); an end of file (the worker died) or SIGTERM (a later worker) disposes as well. The subreaper says
# `ready`, `started` from where the command will be, `exit CODE SIGNAL` when the command itself ended, and at last `end JSON`, which it also leaves, without
# arguments of commands, in the end file. In Perl because it must outlive an agent that kills every Node it sees, and
# costs 8 MB where Node costs 80.
use strict;
use warnings;

my ($WNOHANG, $SIGTERM, $SIGKILL) = (1, 15, 9);
my ($PR_SET_CHILD_SUBREAPER, $RLIMIT_RTTIME) = (36, 15);
my $MAX_LISTED = 64;

my %option;
while (@ARGV && $ARGV[0] ne '--') { my $name = shift @ARGV; $option{$name} = shift @ARGV }
shift @ARGV;
my @command = @ARGV;

# Numbers of the system calls that Perl does not wrap: prctl, prlimit64, setsid.
my %calls = (
  x86_64 => [157, 302, 112], aarch64 => [167, 261, 157], riscv64 => [167, 261, 157],
  ppc64le => [171, 325, 66], s390x => [172, 334, 66],
);
my $machine = $option{'--machine'};
my ($prctl, $prlimit, $setsid) = @{ $calls{$machine} || [] };
die "the subreaper does not know the system calls of $machine\n" unless $prctl;

if (open my $unused, '<&=', 3) { close $unused }
open(my $worker, '+<&=', 4) or die "no lifeline: $!\n";
syscall($prctl, $PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0 or die "PR_SET_CHILD_SUBREAPER: $!\n";
my $limit = pack 'QQ', $option{'--marker'}, $option{'--marker'};
syscall($prlimit, 0, $RLIMIT_RTTIME, $limit, 0) == 0 or die "RLIMIT_RTTIME: $!\n";

my ($stop, $agent, $agent_ended, $lost) = (0, 0, 0, 0);
$SIG{$_} = 'IGNORE' for qw(INT HUP QUIT PIPE USR1 USR2 ALRM TSTP TTIN TTOU);
$SIG{TERM} = sub { $stop = 1 };
$SIG{CHLD} = sub { };

say_worker('ready');
my $heard = '';
until ($stop || $heard =~ s/^go\n//) {
  hear(0.1);
  $stop = 1 if $heard =~ /^dispose /;
}
finish('echild', [], [], 0, [], 125) if $stop;

$agent = fork;
die "fork: $!\n" unless defined $agent;
if ($agent == 0) {
  syscall($setsid);
  say_worker('started');
  $SIG{$_} = 'DEFAULT' for grep { defined $SIG{$_} } keys %SIG;
  close $worker;
  delete $ENV{PERL_BADLANG};
  { no warnings 'exec'; exec { $command[0] } @command; }
  print STDERR "$command[0]: $!\n";
  exit 127;
}
# Only the command and what it starts hold its pipes.
open STDIN, '<', '/dev/null';
open STDOUT, '>', '/dev/null';
open STDERR, '>', '/dev/null';

my ($grace, $prove) = @option{qw(--grace --prove)};
until ($stop) {
  reap();
  hear(0.1);
  ($stop, $grace, $prove) = (1, $1, $2) if $heard =~ s/^dispose (\d+) (\d+)\n//;
}
dispose();

sub dispose {
  my (@signals, @killed, %denied);
  my $unlisted = 0;
  unless ($agent_ended) {
    # All below it too: a shell in front of an agent would neither hand the signal on nor wait.
    my @asked;
    for my $pid ($agent, descendants($agent)) {
      # What ends has no command line any more.
      my $named = @signals < $MAX_LISTED ? seen($pid) : undef;
      next unless kill $SIGTERM, $pid;
      push @asked, $pid;
      push @signals, { %$named, signal => 'SIGTERM' } if $named;
    }
    my $until = now() + (@asked ? $grace : 0);
    until (now() >= $until || ($agent_ended && !grep { state($_) ne 'Z' } @asked)) { nap(0.005); reap() }
  }
  for my $pid (grep { state($_) ne 'Z' } descendants($$)) {
    if (@killed < $MAX_LISTED) { push @killed, seen($pid) } else { $unlisted++ }
  }
  my ($until, $sweeps) = (now() + $prove, 0);
  until (reap()) {
    %denied = ();
    for my $pid (descendants($$)) {
      kill($SIGKILL, $pid) and next;
      $denied{$pid} = 1 if $!{EPERM};
    }
    if (now() >= $until) {
      my @left = map { { %{ seen($_) }, why => $denied{$_} ? 'not permitted: it belongs to another user' : 'still there after SIGKILL' } }
        grep { state($_) ne 'Z' } descendants($$);
      splice @left, $MAX_LISTED if @left > $MAX_LISTED;
      return finish('unproved', \@signals, \@killed, $unlisted, \@left, 3);
    }
    nap(++$sweeps < 200 ? 0.0005 : 0.02);
  }
  finish('echild', \@signals, \@killed, $unlisted, [], 0);
}

sub finish {
  my ($proof, $signals, $killed, $unlisted, $left, $code) = @_;
  my $json = sub {
    my ($with_words) = @_;
    my $list = sub {
      join ',', map {
        my $seen = $_;
        my $words = join ',', map { quote($_) } $with_words ? @{ $$seen{words} } : ();
        my $why = defined $$seen{why} ? ',"why":' . quote($$seen{why}) : '';
        my $signal = defined $$seen{signal} ? ',"signal":' . quote($$seen{signal}) : '';
        sprintf '{"pid":%d,"name":%s,"words":[%s]%s%s}', $$seen{pid}, quote($$seen{name}), $words, $why, $signal;
      } @_;
    };
    my @lists = ($list->(@$signals), $list->(@$killed), $unlisted, $list->(@$left));
    sprintf qq({"proof":"$proof","signals":[%s],"killed":[%s],"killedUnlisted":%d,"left":[%s]}), @lists;
  };
  leave($option{'--end-file'}, $json->(0));
  say_worker('end ' . $json->(1));
  exit $code;
}

sub leave {
  my ($file, $text) = @_;
  umask 0077;
  open my $out, '>', "$file.draft" or return;
  print $out "$text\n";
  close $out and rename "$file.draft", $file;
}

# Reap what ended. True: nothing is left (ECHILD).
sub reap {
  while ((my $pid = waitpid -1, $WNOHANG) != 0) {
    return 1 if $pid < 0 && $!{ECHILD};
    next if $pid != $agent;
    $agent_ended = 1;
    say_worker(sprintf 'exit %d %d', $? >> 8, $? & 127);
  }
  return 0;
}

# Wait for the worker to say something, for so many seconds at most, or for a child to end.
sub hear {
  my ($seconds) = @_;
  my $reading = '';
  vec($reading, 4, 1) = 1;
  return if (select $reading, undef, undef, $seconds) <= 0;
  my $got = sysread $worker, $heard, 4096, length $heard;
  $stop = $lost = 1 if defined $got ? $got == 0 : !$!{EINTR};
}

sub say_worker {
  my $line = "$_[0]\n";
  while (!$lost && length $line) {
    my $sent = syswrite $worker, $line;
    if (defined $sent) { substr($line, 0, $sent) = '' }
    else { $lost = 1 unless $!{EINTR} }
  }
}

# Orphans come to this process, so its own children are read first and most often.
sub descendants {
  my @pending = children($_[0]);
  my @found;
  while (defined(my $pid = shift @pending)) { push @found, $pid; push @pending, children($pid) }
  return @found;
}

sub children {
  my ($pid) = @_;
  return map { split ' ', slurp("$_/children") } glob "/proc/$pid/task/*" if -e "/proc/$$/task/$$/children";
  # A kernel without CONFIG_PROC_CHILDREN: look at everyone's parent.
  return grep { slurp("/proc/$_/stat") =~ /\) \S (\d+)/ && $1 == $pid } map { m{(\d+)$} } glob '/proc/[0-9]*';
}

sub seen {
  my ($pid) = @_;
  my ($name) = slurp("/proc/$pid/stat") =~ /\((.*)\)/s;
  return { pid => $pid, name => defined $name ? $name : '', words => [split /\0/, substr slurp("/proc/$pid/cmdline"), 0, 1000] };
}

sub state { return slurp("/proc/$_[0]/stat") =~ /\) (\S)/ ? $1 : 'Z' }

sub slurp {
  open my $in, '<', $_[0] or return '';
  local $/;
  my $text = <$in>;
  return defined $text ? $text : '';
}

sub quote {
  my ($text) = @_;
  $text =~ s/([\\"])/\\$1/g;
  $text =~ s/[^\x20-\x7e]/?/g;
  return "\"$text\"";
}

# Milliseconds of a clock that nobody sets: since boot.
sub now { return slurp('/proc/uptime') =~ /^([\d.]+)/ ? $1 * 1000 : time * 1000 }

sub nap { select undef, undef, undef, $_[0] }
