/** What the database stands on: its library, and the file system of its folder. */
import type { Config } from '../config/schema.ts'
import { DataFolderError } from '../db/folder-state.ts'
import { findMount, type Mount } from '../db/mounts.ts'
import { requireSafeSqlite } from '../db/sqlite-version.ts'
import type { Found } from './found.ts'

const ofNetwork =
  /^(nfs4?|cifs|smb3|smbfs|ceph|9p|afs|lustre|gfs2|ocfs2|beegfs|davfs|fuse\.(sshfs|glusterfs|s3fs|rclone|davfs2?|ceph|gcsfuse|goofys|cifs|juicefs))$/

/** A start refuses what this reports. */
export function examineSqlite(): readonly Found[] {
  try {
    requireSafeSqlite()
    return []
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error
    return [{ setting: 'data', level: 'fail', says: error.happened, mend: error.mend }]
  }
}

/** Whether its locks hold, a start proves. */
export const examineMount = ({ data }: Pick<Config, 'data'>): readonly Found[] => judgeMount(data, findMount(data))

export function judgeMount(folder: string, mount: Mount | undefined): readonly Found[] {
  if (!mount || !ofNetwork.test(mount.type)) return []
  return [
    {
      setting: 'data',
      level: 'warn',
      says: `the data folder ${folder} is on a network file system (${mount.type}, mounted at ${mount.point}): each commit waits for the network, and only its locks keep a second server from the database`,
      mend: 'put the data folder on a local disk. Where it stays, let no other machine use it: a start proves that the locks hold, and is refused where they do not',
    },
  ]
}
