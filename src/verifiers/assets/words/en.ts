/** The English words of the forms that name a contract on a chain. */
export const form = {
  chain: 'Chain',
  contract: 'Contract',
  contractMustBe: 'must be the address of a contract',
}
