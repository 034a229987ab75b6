/** `proofgate operator`: who sees the operator's side of the dashboard. Works on the data folder, whether a server runs on it or not. */
import { buildPublicAddresses } from '../config/public-addresses.ts'
import { removeOperator } from '../operator/claim.ts'
import { buildClaimLink, makeLink } from '../operator/link.ts'
import { isConfigured } from '../operator/operator.ts'
import { listStored } from '../operator/store.ts'
import { parseAccountSetting, writeAccount } from '../wallet/account.ts'
import { type Command, exitCodes, type Terminal, UsageError } from './command.ts'
import { useDataFolder } from './data-folder.ts'
import { escapeInvisible, writeMinute } from './escape-invisible.ts'
import { commonOptions, loadNamedConfig, readOptions, requireArgument } from './options.ts'
import { runStep, type Step } from './steps.ts'
import { requireAccount } from './wallet-argument.ts'

const steps: Readonly<Record<string, Step>> = { link: makeOperatorLink, list: listOperators, remove: removeOne }

export const operator: Command = {
  run: async (args, terminal) => runStep('operator', steps, args, terminal),
}

async function makeOperatorLink(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = readOptions(args, commonOptions)
  const config = await loadNamedConfig(values, terminal)
  return useDataFolder(config, terminal, async (parts) => {
    const { token, expiresAt } = await makeLink(parts)
    const link = buildClaimLink(buildPublicAddresses(config, config.port).authUrl, token)
    if (values.json) {
      terminal.out(`${JSON.stringify({ link, expiresAt })}\n`)
      return exitCodes.done
    }
    terminal.err(`Good once, until ${writeMinute(expiresAt)}. Links of before are good no more.\n`)
    terminal.out(`${link}\n`)
    return exitCodes.done
  })
}

async function listOperators(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = readOptions(args, commonOptions)
  const config = await loadNamedConfig(values, terminal)
  return useDataFolder(config, terminal, async ({ db }) => {
    const fromConfiguration: readonly string[] = config.operator.wallets.map((wallet) =>
      writeAccount(parseAccountSetting(wallet)),
    )
    const operators = [
      ...[...new Set(fromConfiguration)].map((wallet) => ({ wallet, from: 'configuration', since: null })),
      ...(await listStored(db))
        .filter(({ account }) => !fromConfiguration.includes(account))
        .map(({ account, createdAt }) => ({ wallet: account, from: 'link', since: createdAt })),
    ]
    const lines = operators.map(({ wallet, since }) =>
      since === null ? `${wallet}  configuration` : `${wallet}  since ${writeMinute(since)}`,
    )
    if (values.json) terminal.out(`${JSON.stringify({ operators })}\n`)
    else
      terminal.out(lines.length === 0 ? 'There is no operator: "operator link" makes one.\n' : `${lines.join('\n')}\n`)
    return exitCodes.done
  })
}

async function removeOne(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readOptions(args, commonOptions, 1)
  const asked = requireArgument(positionals[0], 'the wallet: "operator list" has them')
  return useDataFolder(await loadNamedConfig(values, terminal), terminal, async (parts) => {
    const wallet = writeAccount(await requireAccount(parts, asked))
    if (isConfigured(parts, wallet))
      throw new UsageError(
        `${wallet} is an operator by the configuration: remove it from operator.wallets, and restart the server`,
      )
    const removed = await removeOperator(parts, wallet)
    if (!removed)
      throw new UsageError(`${escapeInvisible(wallet)} is not an operator: "operator list" shows the operators`)
    terminal.out(values.json ? `${JSON.stringify({ wallet, removed })}\n` : `${wallet} is operator no more.\n`)
    return exitCodes.done
  })
}
