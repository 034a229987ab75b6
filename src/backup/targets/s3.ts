/** Backups in a bucket of Amazon S3, or of a service with the same interface. */
import { S3Client } from 'bun'
import { limitWait } from '../../limit-wait.ts'
import { BackupError } from '../fault.ts'
import type { Kept, Sink, Target } from './target.ts'

export interface S3Access {
  readonly bucket: string
  /** Names begin with it: empty, or it ends with a slash. */
  readonly prefix: string
  readonly endpoint: string | undefined
  readonly region: string | undefined
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** For an answer, or the next bytes of one. Another time in tests. */
  readonly waitMs?: number
}

const partBytes = 8 * 1_048_576
const usualWaitMs = 60_000
/** A part over a slow line takes more than an answer. */
const waitsForPart = 5

export function openS3Target({ bucket, prefix, waitMs = usualWaitMs, ...access }: S3Access): Target {
  const client = new S3Client({
    bucket,
    accessKeyId: access.accessKeyId,
    secretAccessKey: access.secretAccessKey,
    ...(access.endpoint ? { endpoint: access.endpoint } : {}),
    ...(access.region ? { region: access.region } : {}),
  })
  const title = `s3://${bucket}/${prefix}`
  const explain = async <Result>(work: () => Promise<Result>, ms = waitMs): Promise<Result> => {
    try {
      return await limitWait(work(), ms, () => makeSilent(title, ms))
    } catch (error) {
      throw explainFault(error, title)
    }
  }
  async function list(namesBegin: string): Promise<readonly Kept[]> {
    const found: Kept[] = []
    let after: string | undefined
    do {
      const page = await explain(() =>
        client.list({ prefix: prefix + namesBegin, maxKeys: 1000, ...(after ? { startAfter: after } : {}) }),
      )
      const contents = page.contents ?? []
      found.push(...contents.map(({ key, size = 0 }) => ({ name: key.slice(prefix.length), bytes: size })))
      after = page.isTruncated ? contents.at(-1)?.key : undefined
    } while (after !== undefined)
    return found.sort((one, other) => (one.name < other.name ? -1 : 1))
  }

  return {
    title,

    async create(name) {
      // A list, because a refusal of HEAD has no body that would say why.
      const { contents = [] } = await explain(() => client.list({ prefix: prefix + name, maxKeys: 1 }))
      if (contents.some(({ key }) => key === prefix + name))
        throw new BackupError(`there is ${name} at ${title} already`, 'name another file')
      const writer = client.file(prefix + name).writer({ partSize: partBytes, queueSize: 2, retry: 3 })
      return {
        async write(bytes) {
          await explain(async () => {
            writer.write(bytes)
            await writer.flush()
          }, waitsForPart * waitMs)
        },
        finish: () => explain(async () => void (await writer.end()), waitsForPart * waitMs),
        // The end of the writer, also with an error, would complete the object. Parts without an end are none.
        abandon: async () => {},
      } satisfies Sink
    },

    async *read(name) {
      const reader = client
        .file(prefix + name)
        .stream()
        .getReader()
      for (;;) {
        const { done, value } = await explain(() => reader.read())
        if (done) return
        yield value as Uint8Array
      }
    },

    readPart: (name, from, bytes) =>
      explain(() =>
        client
          .file(prefix + name)
          .slice(from, from + bytes)
          .bytes(),
      ),

    list,

    listNames: async (namesBegin) => (await list(namesBegin)).map(({ name }) => name),

    remove: (name) => explain(() => client.delete(prefix + name)),

    // A list of a bucket that is not there has failed before.
    exists: async () => true,

    // Parts of an upload that was cut off are no objects: a rule of the bucket deletes them.
    clear: async () => [],
  }
}

const mends: Readonly<Record<string, string>> = {
  NoSuchBucket: 'make the bucket, or correct backup.to',
  AccessDenied: 'give this key the rights to list, read, write and delete below that prefix',
  InvalidAccessKeyId: 'correct backup.bucket_key_id',
  SignatureDoesNotMatch: 'correct backup.bucket_secret_key',
  RequestTimeTooSkewed: 'set the clock of this machine right',
  AuthorizationHeaderMalformed: 'correct backup.bucket_region',
  NoSuchKey: 'name a file that is there',
  QuotaExceeded: 'make room in the bucket, or raise its quota',
  XMinioStorageFull: 'make room on the disks of that service',
  SlowDown: 'try again later',
  ServiceUnavailable: 'try again later',
  InternalError: 'try again later',
}

function explainFault(error: unknown, title: string): unknown {
  if (error instanceof BackupError || !(error instanceof Error)) return error
  const { code = '' } = error as { code?: string }
  return new BackupError(
    `the storage at ${title} refused or did not answer (${code || error.name}: ${error.message})`,
    mends[code] ?? 'see whether backup.bucket_endpoint is right and can be reached from here',
  )
}

const makeSilent = (title: string, ms: number): BackupError =>
  new BackupError(
    `the storage at ${title} did not answer within ${ms / 1000} s`,
    'see whether it can be reached from here, and try again',
  )
