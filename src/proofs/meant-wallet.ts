/**
 * Whether an address in evidence means the wallet of a bare address: the key, or the hub chain's contract. The same
 * address on another chain may be a foreign contract.
 */
import { agentDelegationId } from '../verifiers/roles.ts'
import type { Evidence } from '../verifiers/verifier.ts'
import { isUnknown, parseAccount, readChain } from '../wallet/account.ts'
import { isContractMethod } from '../wallet/signature-method.ts'

/** The member in which evidence about a wallet also names its chain. */
export const accountIdMembers: Readonly<Record<string, string>> = {
  agentWallet: 'agentAccountId',
  controllerWallet: 'controllerAccountId',
  primaryWalletAddress: 'primaryAccountId',
  secondaryWalletAddress: 'secondaryAccountId',
}

interface Row {
  readonly verifierId: string
  readonly data: Evidence
}

/**
 * Whether the row shows that the wallet under this name is a contract on another chain than the hub. `account` is the
 * proof's. A key is the same on every chain that its evidence names.
 */
export function isContractElsewhere(
  { verifierId, data }: Row,
  name: string,
  hubChainId: number,
  account: string | undefined,
): boolean {
  const accountId = Object.hasOwn(accountIdMembers, name) ? data[accountIdMembers[name]!] : undefined
  const chain = typeof accountId === 'string' ? readChain(accountId) : undefined
  if (!chain?.startsWith('eip155:') || chain === `eip155:${hubChainId}`) return false
  if (name === 'secondaryWalletAddress') return isContractMethod(String(data.signatureMethod))
  // The row does not show whether an agent is a contract. It names the agent on the controller's chain.
  if (name === 'agentWallet' && verifierId === agentDelegationId) return chain !== data.controllerChainRef
  return account === undefined || isUnknown(account) || parseAccount(account).contractOn !== undefined
}
