/** `proofgate gates`: gates as code. Works on the data folder, whether a server runs on it or not. */
import { type Command, UsageError } from './command.ts'
import { runWithoutStore, useDataFolder } from './data-folder.ts'
import { applyFile } from './gates-apply.ts'
import { setGuests } from './gates-guests.ts'
import { listGates, removeGate, rollBack, showGate } from './gates-show.ts'
import { runTestFile } from './gates-test.ts'
import { commonOptions, loadNamedConfig, readOptions, requireArgument } from './options.ts'
import { runStep, type Step } from './steps.ts'

const makeApply =
  (isApply: boolean): Step =>
  async (args, terminal) => {
    const { values, positionals } = readOptions(
      args,
      { ...commonOptions, owner: { type: 'string' }, yes: { type: 'boolean' } },
      1,
    )
    const request = {
      file: requireArgument(positionals[0], 'the policy file'),
      owner: values.owner,
      isApply,
      isConfirmed: values.yes === true,
      asJson: values.json === true,
    }
    return useDataFolder(await loadNamedConfig(values, terminal), terminal, (parts) =>
      applyFile(parts, request, terminal),
    )
  }

const steps: Readonly<Record<string, Step>> = {
  plan: makeApply(false),
  apply: makeApply(true),

  async test(args, terminal) {
    const { values, positionals } = readOptions(args, commonOptions, 1)
    const file = requireArgument(positionals[0], 'the policy file')
    const config = await loadNamedConfig(values, terminal)
    return runWithoutStore(config, terminal, (parts) => runTestFile(parts, file, values.json === true, terminal))
  },

  async list(args, terminal) {
    const { values } = readOptions(args, { ...commonOptions, owner: { type: 'string' } })
    return useDataFolder(await loadNamedConfig(values, terminal), terminal, async (parts) =>
      listGates(parts, values.owner, values.json === true, terminal),
    )
  },

  async show(args, terminal) {
    const { values, positionals } = readOptions(args, { ...commonOptions, version: { type: 'string' } }, 1)
    const gateId = requireArgument(positionals[0], 'the gate')
    const version = values.version === undefined ? undefined : parseVersion(values.version)
    return useDataFolder(await loadNamedConfig(values, terminal), terminal, async (parts) =>
      showGate(parts, gateId, version, values.json === true, terminal),
    )
  },

  async rollback(args, terminal) {
    const { values, positionals } = readOptions(args, commonOptions, 2)
    const gateId = requireArgument(positionals[0], 'the gate')
    const version = parseVersion(requireArgument(positionals[1], 'the version that applies again'))
    return useDataFolder(await loadNamedConfig(values, terminal), terminal, (parts) =>
      rollBack(parts, gateId, version, values.json === true, terminal),
    )
  },

  async guests(args, terminal) {
    const { values, positionals } = readOptions(args, { ...commonOptions, yes: { type: 'boolean' } }, 2)
    const request = {
      gateId: requireArgument(positionals[0], 'the gate'),
      file: positionals[1],
      isConfirmed: values.yes === true,
      asJson: values.json === true,
    }
    return useDataFolder(await loadNamedConfig(values, terminal), terminal, (parts) =>
      setGuests(parts, request, terminal),
    )
  },

  async remove(args, terminal) {
    const { values, positionals } = readOptions(args, commonOptions, 1)
    const gateId = requireArgument(positionals[0], 'the gate')
    return useDataFolder(await loadNamedConfig(values, terminal), terminal, (parts) =>
      removeGate(parts, gateId, values.json === true, terminal),
    )
  },
}

export const gates: Command = {
  run: async (args, terminal) => runStep('gates', steps, args, terminal),
}

function parseVersion(text: string): number {
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw new UsageError(`the version must be a whole number from 1, not "${text}"`)
  return Number(text)
}
