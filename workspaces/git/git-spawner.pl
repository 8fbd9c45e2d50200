# Starts git for a worker whose own fork costs milliseconds and more for every hundred megabytes it holds; see
# git-spawner.ts. One call at a time: a request comes on stdin, frames go to stdout. Whatever comes on stdin during a
# call, its end included, ends git and all of its process group.
use strict;
use warnings;
use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);
use POSIX ();

$SIG{PIPE} = 'IGNORE';
my $chunk = 65536;
# The status of the call's git, where end_git waited for it.
my $ended;

# Two lengths, then words that end in NUL: the folder, file for stdin, file for stdout (each may be empty), the number
# of variables, those, the command. Then the bytes for git's stdin.
while (defined(my $lengths = take(8))) {
    my ($size, $fed) = unpack 'N2', $lengths;
    my @words = take($size) =~ /([^\0]*)\0/g;
    my ($folder, $from, $to, $variables) = splice @words, 0, 4;
    my %env = map { split /=/, $_, 2 } splice @words, 0, $variables;
    run({ folder => $folder, from => $from, to => $to, env => \%env, argv => \@words, fed => take($fed) });
}

sub run {
    my ($call) = @_;
    undef $ended;
    # All but 0, 1 and 2 are closed by exec.
    pipe my $feed_end, my $feed or die $!;
    pipe my $out, my $out_end or die $!;
    pipe my $err, my $err_end or die $!;
    pipe my $trouble, my $trouble_end or die $!;
    my $pid = fork;
    return say_frame('f', $! + 0) unless defined $pid;
    if ($pid == 0) {
        become($call, $feed_end, $out_end, $err_end);
        syswrite $trouble_end, $! + 0;
        exit 127;
    }
    setpgrp $pid, $pid;
    close $_ for $feed_end, $out_end, $err_end, $trouble_end;
    if (sysread $trouble, my $errno, 16) {
        waitpid $pid, 0;
        return say_frame('f', $errno);
    }
    relay($pid, $call->{fed}, $feed, { o => $out, e => $err });
    my $status = $ended // wait_for($pid, 0);
    say_frame('x', ($status >> 8) . ' ' . ($status & 127));
}

# In the child. Returns where git could not be started.
sub become {
    my ($call, $feed, $out, $err) = @_;
    setpgrp 0, 0;
    $SIG{PIPE} = 'DEFAULT';
    if ($call->{from} ne '') { open STDIN, '<', $call->{from} or return }
    else { open STDIN, '<&', $feed or return }
    if ($call->{to} ne '') { open STDOUT, '>>', $call->{to} or return }
    else { open STDOUT, '>&', $out or return }
    open STDERR, '>&', $err or return;
    chdir $call->{folder} or return;
    %ENV = %{ $call->{env} };
    no warnings 'exec';
    exec { $call->{argv}[0] } @{ $call->{argv} };
}

# Until git and all that hold its output have closed it.
sub relay {
    my ($pid, $fed, $feed, $streams) = @_;
    fcntl $feed, F_SETFL, fcntl($feed, F_GETFL, 0) | O_NONBLOCK;
    my $at = 0;
    while (%$streams) {
        if (defined $feed && $at == length $fed) { close $feed; undef $feed }
        my ($readable, $writable) = ('', '');
        vec($readable, fileno $_, 1) = 1 for \*STDIN, values %$streams;
        vec($writable, fileno $feed, 1) = 1 if defined $feed;
        next if select($readable, $writable, undef, undef) < 0;
        if (vec $readable, fileno STDIN, 1) {
            end_git($pid);
            exit 0 unless sysread STDIN, my $byte, 1;
        }
        if (defined $feed && vec $writable, fileno $feed, 1) {
            my $sent = syswrite $feed, $fed, $chunk, $at;
            # EPIPE: git ended without reading all; its exit code tells why.
            $at = defined $sent ? $at + $sent : $!{EAGAIN} ? $at : length $fed;
        }
        for my $name (keys %$streams) {
            next unless vec $readable, fileno $streams->{$name}, 1;
            if (sysread $streams->{$name}, my $bytes, $chunk) { say_frame($name, $bytes, $pid) }
            else { delete $streams->{$name} }
        }
    }
}

# A second to go by itself, so that it takes its lock files along: in a user's repository they would be in everybody's way.
sub end_git {
    my ($pid) = @_;
    return if defined $ended;
    kill 'TERM', -$pid;
    for (1 .. 50) {
        $ended //= wait_for($pid, POSIX::WNOHANG);
        return unless kill 0, -$pid;
        select undef, undef, undef, 0.02;
    }
    kill 'KILL', -$pid;
}

# Its wait status; undef where it still runs.
sub wait_for {
    my ($pid, $flags) = @_;
    return waitpid($pid, $flags) == $pid ? $? : undef;
}

# A kind, a length, bytes. Nobody left to hear it: the end.
sub say_frame {
    my ($kind, $bytes, $pid) = @_;
    my $frame = $kind . pack('N', length $bytes) . $bytes;
    for (my $at = 0; $at < length $frame;) {
        my $sent = syswrite STDOUT, $frame, length($frame) - $at, $at;
        if (!defined $sent) {
            end_git($pid) if defined $pid;
            exit 0;
        }
        $at += $sent;
    }
}

# That many bytes of stdin; undef, or the end of this process, where stdin ended before.
sub take {
    my ($count) = @_;
    my $bytes = '';
    while (length $bytes < $count) {
        sysread STDIN, $bytes, $count - length $bytes, length $bytes or return undef;
    }
    return $bytes;
}
