/** What is told of a running server: its health, and its page of metrics. Both are asked on this machine. */

import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { conditionNames } from '../condition-names.ts'
import { buildPublicAddresses } from '../config/public-addresses.ts'
import type { Config } from '../config/schema.ts'
import { redactShapes } from './redact.ts'

const waitMs = 3_000
const absent = 'no server answered at host and port of the configuration'

const HealthAnswer = Type.Object({
  version: Type.String({ pattern: '^[0-9A-Za-z.+-]{1,40}$' }),
  status: Type.Union([Type.Literal('ok'), Type.Literal('failing')]),
  uptime: Type.Integer(),
  waitingMs: Type.Integer(),
  conditions: Type.Array(
    Type.Object({ name: Type.String(), level: Type.String(), since: Type.String(), count: Type.Integer() }),
  ),
})

export async function gatherHealth({ host, port }: Pick<Config, 'host' | 'port'>): Promise<object> {
  try {
    const answer = await ask(`${buildPublicAddresses({ host }, port).baseUrl}/api/v1/health`, {})
    const body = JSON.parse(await answer.text())
    const said = body.data ?? { status: 'failing', version: 'unknown', uptime: 0, ...body.error?.details }
    if (!Value.Check(HealthAnswer, said)) return { says: 'another program answers at host and port' }
    return {
      status: said.status,
      version: said.version,
      uptimeSeconds: said.uptime,
      waitingMs: said.waitingMs,
      conditions: said.conditions
        .filter(({ name }) => conditionNames.some((known) => known === name))
        .map(({ name, level, since, count }) => ({
          name,
          level: level === 'failing' ? 'failing' : 'warning',
          since: new Date(since).toJSON(),
          count,
        })),
    }
  } catch {
    return { says: absent }
  }
}

export async function gatherMetrics({ metrics }: Pick<Config, 'metrics'>): Promise<string> {
  const { enabled, host, port, token } = metrics
  if (!enabled) return '# metrics.enabled is false\n'
  try {
    const url = `${buildPublicAddresses({ host }, port).baseUrl}/metrics`
    const answer = await ask(url, token === undefined ? {} : { authorization: `Bearer ${token}` })
    return answer.ok ? redactLabels(await answer.text()) : `# the page of metrics answered ${answer.status}\n`
  } catch {
    return '# nothing answered at metrics.host and metrics.port\n'
  }
}

const ask = (url: string, headers: Record<string, string>): Promise<Response> =>
  fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(waitMs) })

/** Names of metrics are long words, so only the values of labels are looked at. */
const redactLabels = (page: string): string =>
  page
    .split('\n')
    .filter((line) => /^(?:#.*|[a-z_:][\w:]*(?:\{.*\})? [0-9.eE+NaInf-]+)?$/i.test(line))
    .map((line) => (line.startsWith('#') ? line : line.replace(/"([^"]*)"/g, (_, value) => `"${redactShapes(value)}"`)))
    .join('\n')
