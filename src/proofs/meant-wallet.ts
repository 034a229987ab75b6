/**
 * Whether evidence that has an address means the wallet that a bare address asks for: the key, or the contract on the hub
 * chain. At the same address on another chain may be the contract of somebody else.
 */
import { agentDelegationId } from '../verifiers/roles.ts'
import type { Evidence } from '../verifiers/verifier.ts'
import { isUnknown, parseAccount, readChain } from '../wallet/account.ts'
import { isContractMethod } from '../wallet/signature-method.ts'

/** Where evidence about a wallet also says in one text on which chain it is. */
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
 * Whether the wallet under this name is a contract on another chain than the hub, as far as the row tells. `account` is
 * that of the proof. A key is itself on every chain that its evidence names.
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
  // Nothing tells whether an agent is a contract: on the chain of the controller it was named with no other one.
  if (name === 'agentWallet' && verifierId === agentDelegationId) return chain !== data.controllerChainRef
  return account === undefined || isUnknown(account) || parseAccount(account).contractOn !== undefined
}
