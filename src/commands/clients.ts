/** `proofgate clients`: OAuth clients. Works on the data folder, whether a server runs on it or not. */

import { countEndingOfClient, type EndsWith } from '../auth/ending-store.ts'
import { mapInOrder } from '../in-order.ts'
import { type Client, makeClient } from '../oauth/client.ts'
import { type ClientRow, listClients } from '../oauth/client-store.ts'
import { endAllGrants, removeClient } from '../oauth/remove-client.ts'
import { type Command, exitCodes, UsageError } from './command.ts'
import { useDataFolder } from './data-folder.ts'
import { writeEndedSentence, writeEndingNote } from './ending-words.ts'
import { escapeInvisible, shorten } from './escape-invisible.ts'
import { commonOptions, loadNamedConfig, readOptions, requireArgument } from './options.ts'
import { runStep, type Step } from './steps.ts'

const steps: Readonly<Record<string, Step>> = {
  async list(args, terminal) {
    const { values } = readOptions(args, commonOptions)
    return useDataFolder(await loadNamedConfig(values, terminal), terminal, async ({ db, now }) => {
      const countEnding = ({ id }: ClientRow): Promise<EndsWith> => countEndingOfClient(db, id, now())
      const rows = await listClients(db)
      const views = await mapInOrder(rows, async (row) => ({ ...makeView(row), endsWith: await countEnding(row) }))
      const lines = await mapInOrder(rows, async (row) => writeLine(row, await countEnding(row)))
      if (values.json) terminal.out(`${JSON.stringify({ clients: views })}\n`)
      else terminal.out(rows.length === 0 ? 'No client has registered.\n' : lines.join(''))
      return exitCodes.done
    })
  },

  async remove(args, terminal) {
    const { values, positionals } = readOptions(args, commonOptions, 1)
    const id = requireArgument(positionals[0], 'the client: its id is in "clients list"')
    return useDataFolder(await loadNamedConfig(values, terminal), terminal, async (parts) => {
      const removed = await removeClient(parts, id)
      if (removed === undefined)
        throw new UsageError(`the client "${shorten(escapeInvisible(id), 80)}" does not exist: see "clients list"`)
      const { grants, ended } = removed
      if (values.json) terminal.out(`${JSON.stringify({ clientId: id, grantsRevoked: grants, ended })}\n`)
      else
        terminal.out(
          `${escapeInvisible(id)} is removed, and ${grants} ${grants === 1 ? 'grant' : 'grants'} of people with it. It may register again.${writeEndedSentence(ended)}\n`,
        )
      return exitCodes.done
    })
  },

  async disconnect(args, terminal) {
    const { values } = readOptions(args, { ...commonOptions, yes: { type: 'boolean' } })
    if (!values.yes) throw new UsageError('this ends the access of every client: add --yes to confirm')
    return useDataFolder(await loadNamedConfig(values, terminal), terminal, async (parts) => {
      const { grants, ended } = await endAllGrants(parts)
      if (values.json) terminal.out(`${JSON.stringify({ grantsRevoked: grants, ended })}\n`)
      else
        terminal.out(
          `${grants} ${grants === 1 ? 'grant has' : 'grants have'} ended. Clients stay registered, and ask again.${writeEndedSentence(ended)}\n`,
        )
      return exitCodes.done
    })
  },
}

export const clients: Command = {
  run: async (args, terminal) => runStep('clients', steps, args, terminal),
}

interface ClientView extends Client {
  readonly createdAt: number
  readonly usedAt: number | null
}

const makeView = (row: ClientRow): ClientView => ({ ...makeClient(row), createdAt: row.createdAt, usedAt: row.usedAt })

function writeLine(row: ClientRow, ending: EndsWith): string {
  const { id, name, redirectUris } = makeClient(row)
  const used = row.usedAt === null ? 'never used' : `used ${new Date(row.usedAt).toISOString().slice(0, 16)}Z`
  return `${escapeInvisible(id)}  ${used}${writeEndingNote(ending)}  ${shorten(escapeInvisible(name ?? '(no name)'), 60)}  ${redirectUris.map(escapeInvisible).join(' ')}\n`
}
