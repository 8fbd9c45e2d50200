#!/usr/bin/env perl
# watchdog.pl LOCK HOLDER LOG COMMAND [ARGUMENT...]
#
# Whenever nobody holds LOCK, runs COMMAND, which takes it (hold-lock.pl), in a session of its own and with its output
# in LOG: a worker that is killed at night comes back within seconds. The kernel says when LOCK is free; nothing is
# polled meanwhile. A COMMAND that does not last is started again after up to a minute. Ends by SIGTERM, or when LOCK
# was deleted; COMMAND lives on then, and is in HOLDER already, where whoever ends it next looks for it.
use strict;
use warnings;
use Fcntl qw(:flock O_RDWR);
use POSIX ();

my ($lock, $holder, $log, @command) = @ARGV;
my $LASTS = 60;
my $LONGEST_PAUSE = 60;
my $HELD_BY_ANOTHER = 75;
my $TAKEN_WITHIN = 10;

my $pause = 1;
for (;;) {
    wait_until_free();
    say_in_log('The worker is gone; the watchdog starts it again.');
    my $began = time;
    my $code = run();
    next if $code == $HELD_BY_ANOTHER;
    $pause = time - $began < $LASTS ? min($pause * 2, $LONGEST_PAUSE) : 1;
    sleep $pause;
}

sub wait_until_free {
    sysopen(my $open, $lock, O_RDWR) or exit 0;
    flock($open, LOCK_SH) or die "cannot wait for $lock: $!\n";
    # Another file, or none: the folder that this watched is gone.
    my ($held, $named) = (join(' ', (stat $open)[0, 1]), join(' ', (stat $lock)[0, 1]));
    exit 0 if $held ne $named;
}

# Whoever ends this while COMMAND is on its way would find neither of them in HOLDER: it ends after that.
sub run {
    my $ended = 0;
    local $SIG{TERM} = sub { $ended = 1 };
    defined(my $pid = fork) or return 1;
    start() if $pid == 0;
    for (1 .. $TAKEN_WITHIN * 100) {
        if (waitpid($pid, POSIX::WNOHANG) == $pid) {
            my $code = $? >> 8;
            exit 0 if $ended;
            return $code;
        }
        last if holds($pid);
        select undef, undef, undef, 0.01;
    }
    $SIG{TERM} = 'DEFAULT';
    exit 0 if $ended;
    waitpid $pid, 0;
    return 1;
}

sub start {
    $SIG{TERM} = 'DEFAULT';
    POSIX::setsid();
    open(STDOUT, '>>', $log) and open(STDERR, '>&', \*STDOUT);
    { no warnings 'exec'; exec {$command[0]} @command; }
    POSIX::_exit(127);
}

sub holds {
    my ($pid) = @_;
    open(my $in, '<', $holder) or return 0;
    my $line = <$in> // '';
    return $line =~ /"pid":$pid,/;
}

# A line as the worker's own are.
sub say_in_log {
    my ($words) = @_;
    open(my $out, '>>', $log) or return;
    my $time = POSIX::strftime('%Y-%m-%dT%H:%M:%SZ', gmtime);
    print {$out} qq({"level":40,"time":"$time","pid":$$,"msg":"$words"}\n);
}

sub min { return $_[0] < $_[1] ? $_[0] : $_[1] }
