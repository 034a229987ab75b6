/** Makes operators from the lines of an export: SQL and nothing else. */
import type { Importer } from '../db/importing.ts'

/** Nobody becomes the operator of a server by moving to it. */
export const operatorImporter: Importer = {
  name: 'operators',
  find: {
    sql: 'SELECT o.account FROM operators o WHERE o.account = $account',
    describe: ({ account }) => `the operator ${account}`,
  },
  insert: ['INSERT INTO operators (account, created_at) VALUES ($account, $createdAt)'],
  isOfServer: true,
}
