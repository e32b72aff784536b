#!/bin/sh
# Runs a command as the first process of a system of its own, in new namespaces: the files of this machine, whose changes
# are in memory. Prints the process's number outside of its namespace.
# $1: an empty folder; the rest: the command
set -eu
folder=$1
shift
read -r number _ </proc/self/stat

mount --make-rprivate /
mount -t tmpfs tmpfs "$folder"
root=$folder/root
mkdir "$folder/changes" "$folder/work" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/changes,workdir=$folder/work" "$root"
cd "$root"

# The settings of the kernel are those of the whole machine.
mount -t proc proc proc
for path in proc/sys proc/sysrq-trigger; do
  [ ! -e "$path" ] || { mount --bind "$path" "$path" && mount -o remount,bind,ro "$path"; }
done
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup

for directory in run tmp dev; do mount -t tmpfs -o mode=755 tmpfs "$directory"; done
chmod 1777 tmp
while read -r device major minor; do
  mknod -m 666 "dev/$device" c "$major" "$minor"
done <<END
null 1 3
zero 1 5
full 1 7
random 1 8
urandom 1 9
tty 5 0
END
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd

# Only the journal starts with the system: no other service, timer or mount of this machine.
units=usr/lib/systemd
[ -d "$units/system" ] || units=lib/systemd
rm -rf etc/systemd/system etc/fstab etc/rc.local etc/init.d "$units"/system/*.wants "$units"/system-generators
mkdir -p etc/systemd/system "$units/system/sysinit.target.wants"
ln -s ../systemd-journald.socket ../systemd-journald-dev-log.socket ../systemd-journald.service \
  "$units/system/sysinit.target.wants"
# With an empty machine ID, systemd would enable every service at its first boot.
tr -d - </proc/sys/kernel/random/uuid >etc/machine-id

echo "$number"
exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot . "$@"
