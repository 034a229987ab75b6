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
    connections: describeWhole({
      description: 'Most connections that this process opens to the database.',
      consequence:
        'Fewer keep requests waiting under load. All processes together must stay below max_connections of the server. One of them opens one more while it vacuums what was erased.',
      unit: 'connections',
      default: 16,
      example: 16,
      minimum: 3,
      maximum: 500,
    }),
  },
  {
    findContradictions: ({ url }): Contradiction[] => {
      const fault = typeof url === 'string' ? findUrlFault(url) : undefined
      return fault === undefined ? [] : [{ path: ['url'], problem: fault }]
    },
  },
)
