import { join } from 'node:path';
import { readUntrustedFile } from '../../workspaces/files/read-untrusted-file.ts';
import { removeTemporaryFolders, shell, temporaryFolder } from './user-repository.ts';

afterAll(removeTemporaryFolders);

const MAX = 1000;

function folderWith(script: string): string {
  const folder = temporaryFolder();
  shell(folder, script);
  return folder;
}

test('a regular file within the limit is read, byte for byte', async () => {
  const root = folderWith(`mkdir d; printf '\\xff\\x00x' > d/report.json; head -c ${MAX} /dev/zero > full`);
  const found = readUntrustedFile({ file: join(root, 'd/report.json'), root, maxBytes: MAX });
  expect(found).toEqual({ kind: 'read', bytes: Buffer.from([0xff, 0, 0x78]) });
  expect(readUntrustedFile({ file: join(root, 'full'), root, maxBytes: MAX })).toMatchObject({ kind: 'read' });
});

test('a file that is not there is missing, also where a file is in place of its folder', async () => {
  const root = folderWith('echo x > d');
  expect(readUntrustedFile({ file: join(root, 'r'), root, maxBytes: MAX })).toEqual({ kind: 'missing' });
  expect(readUntrustedFile({ file: join(root, 'd', 'r'), root, maxBytes: MAX })).toEqual({ kind: 'missing' });
});

const refused: [string, string, string][] = [
  ['a FIFO', 'mkfifo report.json', 'not a regular file'],
  [
    'a socket',
    `perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "report.json", Listen => 1)'`,
    'not a regular file',
  ],
  ['a folder', 'mkdir report.json', 'not a regular file'],
  ['a link to /etc/passwd', 'ln -s /etc/passwd report.json', 'symbolic link'],
  ['a link to itself', 'ln -s report.json report.json', 'symbolic link'],
  ['a link to a device', 'ln -s /dev/zero report.json', 'symbolic link'],
  ['a file of 10 GB', 'truncate -s 10G report.json', 'holds 10737418240 bytes; the limit is 1000'],
  ['a file of one byte too many', `head -c ${MAX + 1} /dev/zero > report.json`, 'holds 1001 bytes'],
];

test.each(refused)('%s is rejected', async (_what, script, why) => {
  const root = folderWith(script);
  const found = readUntrustedFile({ file: join(root, 'report.json'), root, maxBytes: MAX });
  expect(found).toEqual({ kind: 'rejected', why: expect.stringContaining(why) });
});

test('a folder on the way that is a link to the outside is refused', async () => {
  const outside = folderWith('echo secret > report.json');
  const root = folderWith(`ln -s "${outside}" inbox`);
  const found = readUntrustedFile({ file: join(root, 'inbox/report.json'), root, maxBytes: MAX });
  expect(found).toMatchObject({ kind: 'rejected' });
  const beside = readUntrustedFile({ file: join(outside, 'report.json'), root, maxBytes: MAX });
  expect(beside).toMatchObject({ kind: 'rejected' });
  const above = readUntrustedFile({ file: join(root, '..', 'x'), root, maxBytes: MAX });
  expect(above).toMatchObject({ kind: 'rejected' });
});
