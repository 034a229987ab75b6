/** Parts of statements that make many rows at once, in the form of the engine that the tests run on. */
import { isOnPostgres } from './test-database.ts'

/** The beginning of a statement that selects from `n`: its column `i` counts from the first number to the last. */
export const countTo = (last: number | string, first: number | string = 1): string =>
  `WITH RECURSIVE n (i) AS (SELECT CAST(${first} AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ${last})`

/** 32 bytes that no other row has. */
export const randomHash = isOnPostgres
  ? 'uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())'
  : 'randomblob(32)'

/** The address of a wallet for each number. */
export const writeAddress = (number: string): string =>
  isOnPostgres ? `'0x' || lpad(to_hex(${number}), 40, '0')` : `printf('0x%040x', ${number})`

/** JSON with another value of the member at a path such as `$.price.amount` or `$.rows[0].data`. */
export const setMember = (json: string, path: string, value: string): string =>
  isOnPostgres
    ? `CAST(jsonb_set(CAST(${json} AS jsonb), split_json_path('${path}'), to_jsonb(${value})) AS text)`
    : `json_set(${json}, '${path}', ${value})`
