/** Finds the place that a person names for a backup: a file, a folder, or a bucket. */
import { type Stats, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Config } from '../../config/schema.ts'
import { BackupError } from '../fault.ts'
import { openFolderTarget } from './folder.ts'
import type { OpenNewFile } from './open-file.ts'
import { openS3Target } from './s3.ts'
import type { Target } from './target.ts'

export interface Place {
  readonly target: Target
  /** Undefined where a folder or a prefix was named. */
  readonly name: string | undefined
}

interface PlaceOptions {
  readonly openFile?: OpenNewFile
  /** For an answer of a bucket. */
  readonly waitMs?: number
}

export const backupEnding = '.backup'

/** The place of backup.to, which is never a file. Errors: BackupError. */
export const openConfiguredPlace = (to: string, config: Pick<Config, 'backup'>, options?: PlaceOptions): Place =>
  openPlace(to, '/', config, options)

/**
 * A path is that of a file if it is one, or ends like one, and else a folder, which is made where it is missing. So
 * backup.to always means a folder. Errors: BackupError.
 */
export function openPlace(
  named: string,
  cwd: string,
  { backup }: Pick<Config, 'backup'>,
  { openFile, waitMs }: PlaceOptions = {},
): Place {
  const s3 = /^s3:\/\/([^/]+)\/?(.*)$/.exec(named)
  if (s3) return openBucket(s3[1]!, s3[2]!, backup, waitMs)
  const path = resolve(cwd, named)
  const isFile = path !== backup.to && !named.endsWith('/') && looksLikeFile(path)
  return isFile
    ? { target: openFolderTarget(dirname(path), openFile), name: basename(path) }
    : { target: openFolderTarget(path, openFile), name: undefined }
}

function openBucket(bucket: string, path: string, backup: Config['backup'], waitMs: number | undefined): Place {
  const { bucketKeyId, bucketSecretKey, bucketEndpoint, bucketRegion } = backup
  if (bucketKeyId === undefined || bucketSecretKey === undefined)
    throw new BackupError(
      'no access key for the bucket is configured',
      'set backup.bucket_key_id and backup.bucket_secret_key',
    )
  const isFile = path.endsWith(backupEnding)
  const prefix = isFile
    ? path.slice(0, path.lastIndexOf('/') + 1)
    : path === '' || path.endsWith('/')
      ? path
      : `${path}/`
  return {
    target: openS3Target({
      bucket,
      prefix,
      endpoint: bucketEndpoint,
      region: bucketRegion,
      accessKeyId: bucketKeyId,
      secretAccessKey: bucketSecretKey,
      ...(waitMs === undefined ? {} : { waitMs }),
    }),
    name: isFile ? path.slice(path.lastIndexOf('/') + 1) : undefined,
  }
}

function looksLikeFile(path: string): boolean {
  const found = readStats(path)
  return found ? !found.isDirectory() : /\.[A-Za-z0-9]+$/.test(basename(path))
}

/** Whoever writes or reads there says why it cannot be reached. */
function readStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
