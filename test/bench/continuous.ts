import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Contender, type Goal, ours } from './contenders.ts'
import { workFolder } from './server.ts'
import { inTurns, runSpeed, type SpeedRuns } from './speed.ts'

/**
 * What the continuous backup costs: accepted proofs, without and with it, to a folder on the same disk. The server may
 * use every core, because shipping is a thread of its own.
 */

export type ShippingId = 'plain' | 'shipping'

interface ShippingServer extends Omit<Contender, 'id'> {
  readonly id: ShippingId
}

export const shippingGoals: readonly Goal<ShippingId>[] = [{ who: 'shipping', than: 'plain', factor: 0.95 }]

const place = join(workFolder, 'shipped')

export function shippingServers(executable: string): ShippingServer[] {
  const shipping = ours(executable, {
    PROOFGATE_BACKUP_TO: place,
    PROOFGATE_BACKUP_PASSPHRASE: 'of the benchmark alone',
    PROOFGATE_BACKUP_CONTINUOUS: 'true',
  })
  return [
    { ...ours(executable), id: 'plain', name: 'Without', body: 'proof', fill: 'ours', share: 1 },
    { ...shipping, id: 'shipping', name: 'With the continuous backup', body: 'proof', fill: 'ours', share: 1 },
  ]
}

export const measureShipping = (
  list: readonly ShippingServer[],
  rounds: number,
  requests: number,
  say: (line: string) => void,
): Promise<SpeedRuns<ShippingId>> =>
  inTurns(
    list,
    rounds,
    (server) => {
      rmSync(place, { recursive: true, force: true })
      return runSpeed(server, { requests, onOneCore: false })
    },
    say,
  )
