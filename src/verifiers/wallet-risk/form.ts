/** The form of wallet-risk: the chain on which the wallet is judged. */
import { defineChainField, readChain } from '../assets/form-fields.ts'
import type { Asked, VerifierForm } from '../form.ts'
import { form as words } from './words/en.ts'

/** A judge may support some chains only, so chains that this server can query come first. */
export const makeForm = ({ model, person }: Asked): VerifierForm => {
  const isEvm = person.address.startsWith('0x')
  const options = defineChainField(model.chains, 'evm').options!
  return {
    submit: words.submit,
    fields: isEvm
      ? [
          {
            name: 'chainId',
            label: words.chain,
            kind: 'choice',
            isKept: true,
            options: options.some(([id]) => id === '1') ? options : [...options, ['', 'Ethereum']],
            ...(person.context.chainId === undefined ? {} : { value: String(person.context.chainId) }),
          },
        ]
      : [],
    data: (values) => ({
      walletAddress: person.address,
      ...(isEvm ? (values.given('chainId') === undefined ? {} : readChain(values)) : { chain: 'sol' }),
    }),
  }
}
