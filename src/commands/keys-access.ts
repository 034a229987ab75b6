/** `proofgate keys create`, `list` and `revoke`: access keys of anybody, for the operator. */

import { createKey, endKey, requireScopes, writeScope } from '../auth/access-keys/access-keys.ts'
import { findKey, listAllKeys, type OwnedKey } from '../auth/access-keys/store.ts'
import { countEndingWithKey, type EndsWith } from '../auth/ending-store.ts'
import { parseScopes } from '../auth/identify.ts'
import { didOfAccount, makeSubject } from '../auth/sign-in/sign-in.ts'
import { mapInOrder } from '../in-order.ts'
import { findLabelFault } from '../plain-label.ts'
import { findSignInLink, makeProfile } from '../profiles/store.ts'
import { writeAccount } from '../wallet/account.ts'
import { exitCodes, type Terminal, UsageError } from './command.ts'
import { useDataFolder } from './data-folder.ts'
import { writeEndedSentence, writeEndingNote } from './ending-words.ts'
import { escapeInvisible, shorten, writeMinute } from './escape-invisible.ts'
import { commonOptions, loadNamedConfig, readOptions, requireArgument } from './options.ts'
import { makePalette } from './palette.ts'
import { requireAccount } from './wallet-argument.ts'

export async function createAccessKey(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = readOptions(args, {
    ...commonOptions,
    wallet: { type: 'string' },
    name: { type: 'string' },
    scopes: { type: 'string' },
  })
  if (!values.wallet) throw new UsageError('the wallet is missing: give --wallet 0x…')
  const name = parseName(values.name ?? 'command line')
  const words = values.scopes?.split(',').map((word) => word.trim())
  const config = await loadNamedConfig(values, terminal)
  return useDataFolder(config, terminal, async (parts) => {
    const given = requireScopes(words, config.brand)
    const scopes = given.map((scope) => writeScope(config.brand, scope))
    const asked = await requireAccount(parts, values.wallet ?? '')
    const now = parts.now()
    const account = (await findSignInLink(parts.db, asked, now))?.primary ?? asked
    const primary = writeAccount(account)
    const profile = makeProfile({ account, did: didOfAccount(parts, account), subject: makeSubject(), now })
    const { key, listed } = await createKey(parts, { primary, name, scopes: given }, [profile])
    if (values.json) {
      terminal.out(`${JSON.stringify({ key, keyId: listed.keyId, wallet: primary, name, scopes })}\n`)
      return exitCodes.done
    }
    const isLinked = writeAccount(asked) !== primary
    terminal.err(
      [
        `Key ${listed.keyId} of ${primary}, for ${scopes.join(', ')}. Keep it now: it is not shown again.`,
        ...(isLinked ? [`(${writeAccount(asked)} is linked to that wallet.)`] : []),
        '',
      ].join('\n'),
    )
    terminal.out(`${key}\n`)
    return exitCodes.done
  })
}

const keysPerPage = 500

export async function listAccessKeys(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = readOptions(args, { ...commonOptions, wallet: { type: 'string' }, before: { type: 'string' } })
  return useDataFolder(await loadNamedConfig(values, terminal), terminal, async (parts) => {
    const { wallet, before } = values
    const primary = wallet === undefined ? undefined : writeAccount(await requireAccount(parts, wallet))
    if (before !== undefined && !(await findKey(parts.db, before)))
      throw new UsageError(
        `--before must be a key of the page before: "${escapeInvisible(before).slice(0, 80)}" does not exist`,
      )
    const found = await listAllKeys(parts.db, { primary, before, limit: keysPerPage + 1 })
    const keys = found.slice(0, keysPerPage)
    const nextBefore = found.length > keysPerPage ? (keys.at(-1)?.keyId ?? null) : null
    const countEnding = (keyId: string): Promise<EndsWith> => countEndingWithKey(parts.db, keyId, parts.now())
    if (values.json)
      terminal.out(
        `${JSON.stringify({ keys: await mapInOrder(keys, async (key) => ({ ...makeView(key, parts.config.brand), endsWith: await countEnding(key.keyId) })), nextBefore })}\n`,
      )
    else
      terminal.out(
        keys.length === 0
          ? 'There are no access keys.\n'
          : await writeTable(keys, countEnding, { brand: parts.config.brand, isPerson: terminal.isPerson }),
      )
    if (!values.json && nextBefore !== null) terminal.err(`There are more: add --before ${nextBefore}\n`)
    return exitCodes.done
  })
}

export async function revokeAccessKey(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readOptions(args, commonOptions, 1)
  const keyId = requireArgument(positionals[0], 'the key: its id is in "keys list"')
  return useDataFolder(await loadNamedConfig(values, terminal), terminal, async (parts) => {
    const before = await findKey(parts.db, keyId)
    const after = before && (await endKey(parts, keyId))
    if (!after) throw new UsageError(`the key "${escapeInvisible(keyId).slice(0, 80)}" does not exist: see "keys list"`)
    const { key, ended } = after
    if (values.json) terminal.out(`${JSON.stringify({ keyId, revokedAt: key.revokedAt, ended })}\n`)
    else
      terminal.out(
        before.revokedAt === null
          ? `${keyId} (${escapeInvisible(key.name)}) is revoked: it stopped working.${writeEndedSentence(ended)}\n`
          : `${keyId} (${escapeInvisible(key.name)}) was revoked already, on ${writeMinute(before.revokedAt)}.\n`,
      )
    return exitCodes.done
  })
}

function parseName(name: string): string {
  if (name.length > 80) throw new UsageError('--name has more than 80 characters: choose a shorter name')
  const fault = findLabelFault(name)
  if (fault !== undefined) throw new UsageError(`--name ${fault}`)
  return name
}

/** The words of tokens and of GET /api/v1/auth/me. */
const writeScopes = (scopes: string, brand: string): string[] =>
  parseScopes(scopes).map((scope) => writeScope(brand, scope))

const makeView = ({ profile, scopes, ...key }: OwnedKey, brand: string) => ({
  ...key,
  scopes: writeScopes(scopes, brand),
  wallet: writeAccount(profile.primary),
})

async function writeTable(
  keys: readonly OwnedKey[],
  ending: (keyId: string) => Promise<EndsWith>,
  { brand, isPerson }: { readonly brand: string; readonly isPerson: boolean },
): Promise<string> {
  const { dim } = makePalette(isPerson)
  const rows = await mapInOrder(keys, async ({ keyId, prefix, profile, scopes, lastUsedAt, revokedAt, name }) => {
    const use = lastUsedAt === null ? 'never used' : `used ${writeMinute(lastUsedAt)}`
    const state = revokedAt === null ? use : `revoked ${writeMinute(revokedAt)}`
    const line = `${keyId}  ${prefix}…  ${writeAccount(profile.primary)}  ${writeScopes(scopes, brand).join(',')}  ${state}${writeEndingNote(await ending(keyId))}  ${shorten(escapeInvisible(name), 60)}`
    return revokedAt === null ? line : dim(line)
  })
  return `${rows.join('\n')}\n`
}
