/**
 * GET /api/v1/health/detailed: the data of the operator's page, for a program that sends an operator's cookie. Unlike
 * the operator's other addresses, it is public knowledge: the API description lists it, and its refusals say why.
 */
import { Type } from '@sinclair/typebox'
import { AppError } from '../errors.ts'
import { Told } from '../health/answer.ts'
import { exampleTold } from '../health/examples.ts'
import { describeAnswer } from '../http/describe.ts'
import { story } from '../http/example.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { defineChoice } from '../shape.ts'
import { version } from '../version.ts'
import type { OwnHealth } from './health.ts'
import { findBrowserSession } from './hidden.ts'
import { isOperator } from './operator.ts'

const makeNullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description ? { description } : {})
const milliseconds = Type.Integer({ description: 'Unix milliseconds.' })
const count = Type.Integer()

const JobRun = Type.Object({
  endedAt: milliseconds,
  isGood: Type.Boolean(),
  goodAt: makeNullable(milliseconds, 'When it last ended well.'),
  says: Type.String({ description: 'What came of it.' }),
})

const Findings = Type.Array(
  Type.Object({
    setting: Type.String(),
    level: defineChoice(['ok', 'warn', 'fail']),
    says: Type.String(),
    mend: Type.Optional(Type.String()),
  }),
)

const DetailedHealth = Type.Object({
  status: defineChoice(['ok', 'failing'], 'failing: the server is not ready, and conditions say why.'),
  version: Type.String(),
  startedAt: milliseconds,
  uptimeSeconds: count,
  database: Type.Object({
    bytes: count,
    logBytes: Type.Integer({ description: 'What is not copied into the database yet.' }),
    checkedAt: makeNullable(milliseconds, 'When all of it was last checked for damage. null: not since the start.'),
    failure: Type.Optional(Type.String({ description: 'Why nothing new is stored.' })),
  }),
  disk: makeNullable(
    Type.Object({ freeBytes: count, totalBytes: count }),
    'Of the data folder. null: there is none, or it does not answer.',
  ),
  lastCommit: Told.lastCommit,
  waitingMs: Told.waitingMs,
  heartbeat: Told.heartbeat,
  memory: Type.Object({ residentBytes: count, heapBytes: count }),
  counts: makeNullable(Type.Object({ accounts: count, proofs: count }), 'null: the database cannot be read.'),
  erasing: makeNullable(
    Type.Object({ erasures: count, proofs: count, since: makeNullable(milliseconds) }),
    'Erasures that are not finished. null: the database cannot be read.',
  ),
  jobs: makeNullable(
    Type.Object({
      isScheduled: Type.Boolean({ description: 'Whether backup.to is set.' }),
      behindMs: makeNullable(
        Type.Integer({ description: 'For how long the oldest commit has waited that the continuous backup lacks.' }),
        'null: backup.continuous is not set.',
      ),
      backup: makeNullable(JobRun, 'The last backup. null: none was made here.'),
      drill: makeNullable(JobRun, 'The last time a backup was restored on trial. null: none was made here.'),
      upgrade: makeNullable(
        Type.Object({
          ...JobRun.properties,
          from: makeNullable(Type.String(), 'null: the first version of which it is known that it ran here.'),
          to: makeNullable(Type.String()),
          tookMs: Type.Integer({ description: 'For opening the database, with its migrations.' }),
        }),
        'The last time another version was started on this database, also an older one.',
      ),
    }),
    'null: the database cannot be read.',
  ),
  sweep: Type.Object({ overdueSince: makeNullable(milliseconds, 'Since when something waits to be deleted.') }),
  processes: makeNullable(
    Type.Array(
      Type.Object({
        run: Type.String({ description: 'Random; another one after a restart.' }),
        host: Type.String({ description: 'The name of its machine.' }),
        version: Type.String(),
        startedAt: milliseconds,
        isThis: Type.Boolean({
          description: 'Whether this answer is its own: what it tells of conditions and memory is of this one.',
        }),
      }),
      { description: 'The servers that share the database and live.' },
    ),
    'null: the database cannot be read.',
  ),
  standbys: Type.Array(
    Type.Object({
      name: Type.String(),
      lagMs: makeNullable(
        Type.Number(),
        'null: it is not known, or the role of the database may not see it (pg_monitor).',
      ),
    }),
    { description: 'Servers of PostgreSQL that follow the one that takes writes.' },
  ),
  conditions: Type.Array(
    Type.Object({
      name: Type.String({ description: 'In kebab case; stays the same while the words may change.' }),
      level: defineChoice(['failing', 'warning'], 'failing: the server is not ready while it lasts.'),
      says: Type.String(),
      mend: Type.String({ description: 'What to do.' }),
      isPast: Type.Optional(Type.Boolean({ description: 'It happened, and is over.' })),
      since: milliseconds,
      count: Type.Integer({ description: 'How often it was met since.' }),
    }),
    { description: 'What is wrong now, the failing first.' },
  ),
  advice: Type.Array(
    Type.Object({ setting: Type.String(), says: Type.String(), example: Type.Optional(Type.String()) }),
    { description: 'What the configuration most likely does not mean.' },
  ),
  here: makeNullable(
    Findings,
    'What is wrong on this machine, as of a minute ago at most, and with its public addresses, as of an hour ago at most. null: it could not be seen.',
  ),
  examination: makeNullable(
    Type.Object({
      at: milliseconds,
      findings: Findings,
    }),
    'What the last look at everything outside found, which an operator starts. null: there was none.',
  ),
})

export const detailedHealthRoutes = (parts: Parts, health: OwnHealth): readonly Route[] => [
  route(
    {
      method: 'GET',
      path: '/api/v1/health/detailed',
      callers: ['session'],
      rate: 'health',
      surface: 'untimed',
      operation: {
        tag: 'health',
        operationId: 'getDetailedHealth',
        summary: 'How the server is, for operators',
        description:
          'Needs the cookie of a browser in which an operator is signed in. 200 whenever the operator can be known: `status` and `conditions` say what is wrong. It asks the disk.',
        answer: describeAnswer({ data: DetailedHealth }),
        refusals: [401],
        example: {
          response: {
            success: true,
            data: {
              status: 'ok',
              version,
              startedAt: story.time - 86_400_000,
              uptimeSeconds: 86_400,
              database: { bytes: 4_804_608, logBytes: 1_240_152, checkedAt: story.time - 3_600_000 },
              disk: { freeBytes: 48_318_382_080, totalBytes: 63_278_391_296 },
              ...exampleTold,
              memory: { residentBytes: 161_480_704, heapBytes: 24_117_248 },
              counts: { accounts: 412, proofs: 1_903 },
              erasing: { erasures: 0, proofs: 0, since: null },
              jobs: {
                isScheduled: true,
                behindMs: 0,
                backup: {
                  endedAt: story.time - 1_800_000,
                  isGood: true,
                  goodAt: story.time - 1_800_000,
                  says: 'proofgate-20260101T000700Z-5b21c0de-3f9a.backup at /mnt/backups, 1.9 MiB, 1903 proofs',
                },
                drill: {
                  endedAt: story.time - 43_200_000,
                  isGood: true,
                  goodAt: story.time - 43_200_000,
                  says: 'proofgate-20251231T120700Z-5b21c0de-9be2.backup of 2025-12-31T12:07:00.214Z can be restored, with 1897 proofs',
                },
                upgrade: {
                  endedAt: story.time - 86_400_000,
                  isGood: true,
                  goodAt: story.time - 86_400_000,
                  says: '0.1.0 to 0.2.0, 2 migrations',
                  from: '0.1.0',
                  to: '0.2.0',
                  tookMs: 412,
                },
              },
              sweep: { overdueSince: null },
              processes: [
                { run: '5b21c0de3f9a41aa', host: 'proofs', version, startedAt: story.time - 86_400_000, isThis: true },
              ],
              standbys: [],
              advice: [],
              here: [],
              examination: null,
            },
          },
        },
      },
    },
    async ({ request }) => {
      await requireOperatorAloud(parts, request)
      return { success: true, data: await health.tell() }
    },
  ),
]

/** Errors: WALLET_AUTH_REQUIRED without a session, FORBIDDEN for a person who is no operator. */
async function requireOperatorAloud(parts: Parts, request: Request): Promise<void> {
  const session = await findBrowserSession(parts, request)
  if (!session)
    throw new AppError(
      'WALLET_AUTH_REQUIRED',
      `only operators may read this: sign in at ${parts.addresses().authUrl}/login with a wallet of operator.wallets, and send the session cookie. Access keys do not work here; GET /api/v1/health tells everybody whether the server works`,
    )
  if (await isOperator(parts, session)) return
  throw new AppError(
    'FORBIDDEN',
    'the signed-in wallet is not an operator of this server: sign in with one of operator.wallets',
  )
}
