import { expect, it } from 'vitest';
import { findOtherServers } from './diskReads.ts';

const mounts = `21 1 8:1 / / rw - ext4 /dev/sda1 rw
22 21 0:40 / /home rw - nfs4 homes:/home rw
23 21 0:41 / /mnt/data rw - nfs4 data:/ rw
24 21 0:42 / /mnt/my\\040share rw - cifs //pc/share rw
25 21 8:2 / /media/stick rw - vfat /dev/sdb1 rw
`;

it.each([
  ['/home/ann', false],
  ['/mnt/data/lab', true],
  ['/mnt/my share/lab', true],
  ['/media/stick', false],
  ['/opt', false],
])(
  'findOtherServers returns whether %s is on a network drive other than that of the home folder',
  async (path, isOther) => {
    expect((await findOtherServers(['/home/ann'], async () => mounts))(path)).toBe(isOther);
  },
);

it('findOtherServers accepts the network drive of each given folder', async () => {
  expect((await findOtherServers(['/home/ann', '/mnt/data/lab'], async () => mounts))('/mnt/data/other')).toBe(false);
});
