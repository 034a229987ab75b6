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
  usage: 'plan|apply|test FILE, list, show ID, rollback ID VERSION, guests ID [FILE], remove ID',
  help: [
    '  plan FILE             what the file would change, line by line (+ added, - removed, ~ changed)',
    '  apply FILE --yes      change it: all gates of the file or none; without --yes as plan, with exit',
    '                        code 1',
    '  test FILE             decide the cases of the file; needs no server, no database and no secrets',
    '  list                  all gates, or those of --owner',
    '  show ID               a gate with its versions; --version N shows an older one',
    '  rollback ID VERSION   make an old version apply again, as a new one',
    '  guests ID             how many wallets are on the guest list of a gate',
    '  guests ID FILE --yes  set the list: one wallet on each line, or the lines of a CSV file; without',
    '                        --yes say how many they are, with exit code 1',
    '  remove ID             nobody sees it any more; its versions are kept, and apply brings it back',
    '',
    '  --owner WALLET        whose gates; the file may say it as owner = "0x…"',
    '  --config FILE         configuration; without it proofgate.toml beside the data folder, if there is',
    '                        one',
    '  --json                one line of JSON',
    '',
    'FILE is TOML with names as in gate_id, or JSON (.json) with names as in gateId. A reward has its',
    'value in value, in the variable that value_env names, or in the file that value_file names. Works',
    'beside a running server, which knows a change at once. Run it as the user of the server, with the',
    'same data folder and the same PROOFGATE_MASTER_KEY, if that is set.',
    'Exit codes: 0 done, 1 not applied or a case decided otherwise, 2 wrong call or file, 69 data folder',
    'not available, 74 its disk does not answer, 78 wrong configuration.',
  ],

  run: async (args, terminal) => runStep('gates', steps, args, terminal),
}

function parseVersion(text: string): number {
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw new UsageError(`the version must be a whole number from 1, not "${text}"`)
  return Number(text)
}
