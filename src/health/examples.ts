/** Examples of a server that works. */
import { type ExampleSource, story } from '../http/example.ts'
import { version } from '../version.ts'

const times = { timestamp: story.timestamp, uptime: 86_400 }
/** The members of every health answer. */
export const exampleTold = {
  lastCommit: { result: 'stored', ageMs: 412 },
  waitingMs: 0,
  heartbeat: { ageMs: 8_412 },
  conditions: [],
}

/** By operationId. */
export const healthExamples = {
  getHealth: {
    response: {
      success: true,
      data: {
        status: 'ok',
        version,
        ...times,
        services: { database: 'ok', storage: 'ok' },
        issues: [],
        ...exampleTold,
      },
    },
  },
  getReadiness: {
    response: {
      success: true,
      ready: true,
      message: 'ready',
      details: { database: 'ok', storage: 'ok', ...exampleTold },
      ...times,
    },
  },
  getLiveness: { response: { success: true, alive: true, version, ...times } },
} as const satisfies Readonly<Record<string, ExampleSource>>
