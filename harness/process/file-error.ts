/** What the system says of a file or folder that can't be used, in words. */

/** Files and folders that do not exist or are not what they should be. */
const OF_FILES: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user has no permission to use it',
  EPERM: 'this user has no permission to use it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a file has its name or that of a folder above it',
  EROFS: 'its file system is read-only',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'its name is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  ETXTBSY: 'a program that is running uses it',
  ERR_INVALID_ARG_VALUE: 'its name contains a character that no file name has',
  ERR_STRING_TOO_LONG: 'it is larger than half a gigabyte',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than two gigabytes',
};

/** Why a file can't be used, as the end of a sentence without its stop: with the system's code where there are no words for it. */
export function whyUnusable(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return OF_FILES[code ?? ''] ?? (code === undefined ? message : `the system reports ${code}`);
}
