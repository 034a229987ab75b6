/** The clock of this machine against that of the bucket's service, which refuses requests of another time. */
import { formatSpan } from '../clock.ts'
import type { Config } from '../config/schema.ts'
import type { Probe } from '../outside/probe.ts'

/** Services refuse at 15 minutes. */
const toleratedMs = 60_000
const waitMs = 10_000

/** None where backups go to a folder, or nowhere. */
export const makeBucketProbes = ({ backup }: Pick<Config, 'backup'>, now: () => number): readonly Probe[] =>
  backup.to?.startsWith('s3://') ? [{ setting: 'backup.bucket_endpoint', run: () => compareClocks(backup, now) }] : []

async function compareClocks({ bucketEndpoint, bucketRegion }: Config['backup'], now: () => number) {
  const endpoint = bucketEndpoint ?? `https://s3.${bucketRegion ?? 'us-east-1'}.amazonaws.com`
  const date = await askTime(endpoint)
  if (date === undefined)
    return {
      level: 'fail',
      says: 'does not answer',
      mend: 'see whether backup.bucket_endpoint is right and can be reached from here',
    } as const
  if (Number.isNaN(date)) return { level: 'ok', says: 'answers, and tells no time' } as const
  const aheadMs = now() - date
  if (Math.abs(aheadMs) < toleratedMs)
    return { level: 'ok', says: 'answers, and its clock shows the time of this machine' } as const
  return {
    level: 'warn',
    says: `answers, and the clock of this machine is ${formatSpan(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} its own`,
    mend: 'set the clock right (timedatectl, chronyc tracking): a request of another time is refused, and no backup is made',
  } as const
}

/** NaN where the answer has no date. Undefined without an answer. */
async function askTime(endpoint: string): Promise<number | undefined> {
  try {
    const { headers } = await fetch(endpoint, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(waitMs),
    })
    return Date.parse(headers.get('date') ?? '')
  } catch {
    return undefined
  }
}
