/**
 * Looks for the server that takes writes among those of database.url.
 *
 * A primary that was lost may come back as one after a standby was promoted: then two servers take writes, and what is
 * written to the old one will be thrown away. Each promotion begins a new timeline with a higher number, so the highest
 * is right. See "Timelines" in PostgreSQL's manual, chapter 26.
 */
import { writeServer } from '../../config/database-url.ts'
import { limitWait } from '../../limit-wait.ts'
import { type Connection, type Login, openConnection, type Server, schemaName } from './connection.ts'
import { describeError, isLost, LostError } from './errors.ts'
import { isReadOnly, requireOwnSession } from './own-session.ts'

export interface Primary {
  readonly server: Server
  readonly connection: Connection
  /** 0 where the server does not tell. */
  readonly timeline: number
}

export interface PrimarySearch {
  readonly servers: readonly Server[]
  readonly login: Login
  /** The highest timeline that this process has seen: a server on a lower one was left behind. */
  readonly leastTimeline: number
  /** Whether it must have our tables: from the time on when they were there. */
  readonly needsTables: boolean
}

export const connectMs = 2_000
/** How long others may still answer after the first that takes writes. One that is away must not delay a failover. */
const othersMs = 250
/** For a standby that may be promoted while another server hangs. */
const againMs = 200

/** All at once, because one that hangs must not delay the others. Errors: LostError, which says why for each server. */
export async function findPrimary({ servers, ...search }: PrimarySearch): Promise<Primary> {
  const reasons: string[] = []
  const found: Primary[] = []
  let isOver = false
  const silent = new Set(servers)
  const tries = servers.map(async (server) => {
    const primary = await tryWhileOthersHang(server)
    if (isOver) void primary.connection.close()
    else found.push(primary)
  })
  async function tryWhileOthersHang(server: Server): Promise<Primary> {
    for (;;)
      try {
        return await tryServer(server, search)
      } catch (error) {
        silent.delete(server)
        if (silent.size > 0 && !isOver) await Bun.sleep(againMs)
        if (silent.size === 0 || isOver) throw error
      }
  }
  for (const one of tries) one.catch((error) => reasons.push(describeError(error)))
  await Promise.any(tries).catch(() => {})
  if (servers.length > 1) await limitWait(Promise.allSettled(tries), othersMs, () => undefined).catch(() => {})
  isOver = true
  const [best, ...others] = found.toSorted((one, other) => other.timeline - one.timeline)
  for (const other of others) void other.connection.close()
  if (!best) throw new LostError([...new Set(reasons)].join('; '))
  return best
}

/** Errors: LostError where somebody took the tables away, or the right to write into them. */
export async function requireTables(connection: Connection): Promise<void> {
  const { rows } = await connection.runPlain(
    `SELECT bool_and(coalesce(has_table_privilege(to_regclass('${schemaName}.' || name)::oid, 'INSERT'), false)) AS usable
     FROM unnest(ARRAY['write_marks', 'proofs']) name`,
  )
  if (!(rows[0] as { usable: boolean }).usable)
    throw new LostError(
      `${writeServer(connection.server)}: the schema "${schemaName}" has lost its tables, or the user of database.url the right to write into them`,
    )
}

async function tryServer(
  server: Server,
  { login, leastTimeline, needsTables }: Omit<PrimarySearch, 'servers'>,
): Promise<Primary> {
  const open = (): Promise<Connection> => openConnection({ server, login, timeoutMs: connectMs })
  const connection = await open()
  const makeSilent = (): LostError => new LostError(`${writeServer(server)} did not answer for ${connectMs / 1000} s`)
  const ask = async (): Promise<number> => {
    if (await isReadOnly(connection))
      throw new LostError(
        `${writeServer(server)} takes no writes: it is a standby, or default_transaction_read_only is set`,
      )
    await requireOwnSession(connection, open)
    return readTimeline(connection)
  }
  try {
    const timeline = await limitWait(ask(), connectMs, makeSilent)
    if (timeline !== 0 && timeline < leastTimeline)
      throw new LostError(
        `${writeServer(server)} was left behind by a promotion: it is on timeline ${timeline}, and timeline ${leastTimeline} was seen`,
      )
    if (needsTables) await limitWait(requireTables(connection), connectMs, makeSilent)
    return { server, connection, timeline }
  } catch (error) {
    connection.lose(describeError(error))
    throw error
  }
}

/** The first eight digits of the name of a WAL file are its timeline. Some providers do not tell it. */
async function readTimeline(connection: Connection): Promise<number> {
  try {
    const { rows } = await connection.runPlain('SELECT pg_walfile_name(pg_current_wal_lsn()) AS file')
    return Number.parseInt((rows[0] as { file: string }).file.slice(0, 8), 16)
  } catch (error) {
    if (isLost(error)) throw error
    return 0
  }
}
