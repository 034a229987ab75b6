/** [database]: A PostgreSQL in place of the file in the data folder. */
import { Type } from '@sinclair/typebox'
import { findUrlFault } from '../database-url.ts'
import { type Contradiction, describeTable, describeText, describeWhole } from '../setting.ts'

export const database = describeTable(
  {
    url: Type.Optional(
      describeText({
        description:
          'A PostgreSQL (15 or later) in which everything is kept: postgres://user:password@host1,host2/database. Of several hosts the one that takes writes is used.',
        consequence:
          'It holds a password: better in a file, PROOFGATE_DATABASE_URL_FILE. Beyond this machine the connection is encrypted and the certificate checked by its name; ?sslrootcert=FILE names whom it must be from, ?sslmode= changes that (disable, require, verify-ca, verify-full).',
        whenEmpty: 'SQLite in the data folder',
        secret: true,
        example: 'postgres://proofgate@db1.example.com,db2.example.com/proofgate',
        expected: 'an address of the form postgres://user:password@host:5432/database',
        accepts: (text: string) => /^postgres(ql)?:\/\//.test(text),
      }),
    ),
    replicas: Type.Optional(
      describeText({
        description:
          'Standbys of that PostgreSQL for reads that may be some seconds old: postgres://user:password@host1,host2/database. Lists of public proofs and gates, pages of public proofs for people who are not signed in, statistics and the audit log are read there.',
        consequence:
          'Takes work off the server that takes writes, and shows such a reader what was changed or erased a moment ago as it was. A replica that is away or too old is left out, and no request fails because of it. As database.url it holds a password: PROOFGATE_DATABASE_REPLICAS_FILE.',
        whenEmpty: 'everything is read from the server that takes writes',
        secret: true,
        example: 'postgres://proofgate@db2.example.com,db3.example.com/proofgate',
        expected: 'an address of the form postgres://user:password@host:5432/database',
        accepts: (text: string) => /^postgres(ql)?:\/\//.test(text),
      }),
    ),
    replica_lag_seconds: describeWhole({
      description: 'How old an answer of a replica may be.',
      consequence: 'Lower leaves a replica out sooner when it falls behind. It is measured twice a second.',
      unit: 'seconds',
      default: 5,
      example: 5,
      minimum: 2,
      maximum: 60,
    }),
    trial_url: Type.Optional(
      describeText({
        description: 'An empty database, in which `proofgate drill` tries a dump.',
        consequence:
          'The drill fills it, and empties it again: name none that holds anything else in a schema "proofgate".',
        whenEmpty: 'a dump cannot be tried',
        secret: true,
        example: 'postgres://proofgate@db3.example.com/proofgate_trial',
        expected: 'an address of the form postgres://user:password@host:5432/database',
        accepts: (text: string) => /^postgres(ql)?:\/\//.test(text),
      }),
    ),
    connections: describeWhole({
      description: 'Most connections that this process opens to the database.',
      consequence:
        'Fewer keep requests waiting under load. All processes together must stay below max_connections of the server. Each replica gets a quarter of them beside, and one process opens one more while it vacuums what was erased.',
      unit: 'connections',
      default: 16,
      example: 16,
      minimum: 3,
      maximum: 500,
    }),
  },
  {
    findContradictions: ({ url, replicas, trial_url }): Contradiction[] => [
      ...findFault('url', url),
      ...findFault('replicas', replicas),
      ...findFault('trial_url', trial_url),
      ...(url === undefined
        ? [
            ...refuse('replicas', replicas, 'replicas follow the server in database.url, which is not set: set it too'),
            ...refuse(
              'trial_url',
              trial_url,
              'dumps are of the database in database.url, which is not set: set it too',
            ),
          ]
        : []),
    ],
  },
)

function findFault(name: string, value: unknown): Contradiction[] {
  const fault = typeof value === 'string' ? findUrlFault(value) : undefined
  return fault === undefined ? [] : [{ path: [name], problem: fault }]
}

const refuse = (name: string, value: unknown, problem: string): Contradiction[] =>
  typeof value === 'string' ? [{ path: [name], problem }] : []
