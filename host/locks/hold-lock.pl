#!/usr/bin/env perl
# hold-lock.pl LOCK HOLDER TABLE BOOT-ID FIELDS COMMAND [ARGUMENT...]
#
# Takes LOCK with flock(2), says in HOLDER who holds it, and becomes COMMAND, which keeps the lock as an open file:
# the kernel releases it when the last process that has it open is gone, however it ended. So there are never two
# holders, no stale lock, and no moment in which a holder is unknown. FIELDS is JSON, kept as it is. COMMAND has the
# umask of whoever started this: what a worker checks out, and what its agents write, is as the user's own would be.
# Exit 75: somebody else holds the lock.
use strict;
use warnings;
use Fcntl qw(:flock O_RDWR O_CREAT);
use POSIX ();

# What the asker's shell has open (a lock, a secret, a folder) is not the service's: its agents would inherit it, past
# every sandbox.
opendir(my $open, -d '/proc/self/fd' ? '/proc/self/fd' : '/dev/fd') or die "cannot list open descriptors: $!\n";
my @inherited = grep { /^\d+$/ && $_ > 2 } readdir $open;
closedir $open;
POSIX::close($_) for @inherited;

my ($lock, $holder, $table, $boot_id, $fields, @command) = @ARGV;
my $asked = umask 077;
$^F = 1023;    # descriptors below it survive the exec
sysopen(my $held, $lock, O_RDWR | O_CREAT, 0600) or die "cannot open $lock: $!\n";
flock($held, LOCK_EX | LOCK_NB) or exit 75;

$^F = 2;
my $draft = "$holder.$$";
my $start_time = start_time();
open(my $out, '>', $draft) or die "cannot write $draft: $!\n";
print {$out} qq({"pid":$$,"startTime":"$start_time","bootId":"$boot_id","fields":$fields}\n)
  or die "cannot write $draft: $!\n";
close($out) or die "cannot write $draft: $!\n";
rename($draft, $holder) or die "cannot rename $draft: $!\n";

umask $asked;
# It kept this script from complaining about a LANG that is not installed.
delete $ENV{PERL_BADLANG};
exec {$command[0]} @command or die "cannot run $command[0]: $!\n";

# As system/proc-table.ts and system/ps-table.ts read it, whichever it is; the exec does not change it.
sub start_time {
    if ($table eq 'proc') {
        open(my $stat, '<', '/proc/self/stat') or die "cannot read /proc/self/stat: $!\n";
        my $line = <$stat>;
        $line =~ s/^.*\) //s;
        return (split ' ', $line)[19];
    }
    local @ENV{qw(LC_ALL TZ)} = qw(C UTC0);
    return join ' ', split ' ', `ps -o lstart= -p $$`;
}
