/** Tells the operator where servers on one database have different settings: callers would get different answers. */
import type { Conditions } from '../conditions.ts'
import type { LiveProcess } from './processes.ts'
import { listDifferences } from './settings-mark.ts'

interface SettingsWatch {
  /** `others`: those that live. */
  look(others: readonly LiveProcess[]): void
}

interface Watched {
  readonly own: LiveProcess
  readonly conditions: Conditions
  readonly readUptime: () => number
}

/** While servers are given new settings one after another, they differ, and that is no fault. */
const toldAfterMs = 30_000

export function openSettingsWatch({ own, conditions, readUptime }: Watched): SettingsWatch {
  let differsSince: number | undefined
  /** A lasting difference is met once. */
  let told: string | undefined

  return {
    look(others) {
      // Another version may have settings that this one does not know.
      const alike = others.filter(({ version }) => version === own.version)
      const differing = alike.filter(({ settings }) => listDifferences(own.settings, settings).length > 0)
      if (differing.length === 0) {
        differsSince = undefined
        told = undefined
        conditions.end('settings-differ')
        return
      }
      differsSince ??= readUptime()
      if (readUptime() - differsSince < toldAfterMs) return
      const names = differing.flatMap(({ settings }) => listDifferences(own.settings, settings))
      const hosts = [...new Set(differing.map(({ host }) => host))].sort().join(', ')
      const says = `servers on this database have different settings: ${[...new Set(names)].sort().join(', ')}`
      if (told === says + hosts) return
      told = says + hosts
      conditions.begin({
        name: 'settings-differ',
        level: 'warning',
        says,
        mend: `Give this server and those on ${hosts} the same proofgate.toml and variables, and restart the ones that change ("proofgate check-config" says where each value comes from). It ends by itself when they agree`,
      })
    },
  }
}
