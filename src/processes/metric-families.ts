/** Metrics of the processes that share a database, and of what each does for all. */
import { hostname } from 'node:os'
import type { Family } from '../metric-family.ts'
import type { Parts } from '../parts.ts'
import { type LeaseName, leaseNames } from './lease-names.ts'

export const processesFamilies: readonly Family<Pick<Parts, 'db' | 'processes' | 'run'>>[] = [
  {
    name: 'proofgate_run_info',
    type: 'gauge',
    help: 'Always 1. The labels name this run of the server, as health and traces do, and its machine.',
    read: ({ run }) => [{ labels: { run, host: hostname() }, value: 1 }],
  },
  {
    name: 'proofgate_live_processes',
    type: 'gauge',
    help: 'Servers that share the database and live, as this one sees them.',
    read: ({ processes }) => [{ value: processes.countLive() }],
  },
  {
    name: 'proofgate_work_held',
    type: 'gauge',
    help: '1 for work that this server does for all that share its database.',
    read: ({ processes }) =>
      (Object.keys(leaseNames) as LeaseName[]).map((work) => ({
        labels: { work },
        value: processes.openLease(work).isHeld() ? 1 : 0,
      })),
  },
  {
    name: 'proofgate_standby_lag_seconds',
    type: 'gauge',
    help: 'How far each standby of the database is behind, where the rights of the role show it (pg_monitor).',
    read: async ({ db }) =>
      ((await db.readStandbys?.()) ?? []).flatMap(({ name, lagMs }) =>
        lagMs === null ? [] : [{ labels: { standby: name }, value: lagMs / 1000 }],
      ),
  },
]
