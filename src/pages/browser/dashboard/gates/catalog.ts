/** The support of this server for gates: its verifiers and its payment methods. */
import { type Loaded, useLoad } from '../load.ts'
import { session } from '../model.ts'
import { findMethod, isPaidOnChain, paymentMethods } from '../payment-methods.ts'
import { chooseUsualMoment, type Definition, type Method, type Price } from './definition.ts'

export interface Way {
  readonly method: Method
  readonly label: string
}

export interface Catalog {
  readonly verifierIds: readonly string[]
  readonly chains: readonly number[]
  readonly ways: readonly Way[]
}

interface VerifiersAnswer {
  readonly data: readonly string[]
  readonly meta: { readonly supportedAssetChainIds: readonly number[] }
}
interface MethodsAnswer {
  readonly data: {
    readonly methods: readonly { readonly id: string; readonly enabled: boolean; readonly asset?: string }[]
  }
}

/** Loads the whole catalog before it returns it, so that the form does not change while a gate is written. */
export function useCatalog(): Pick<Loaded<Catalog>, 'data' | 'error' | 'reload'> {
  const verifiers = useLoad<VerifiersAnswer>('/api/v1/verification/verifiers')
  const payments = useLoad<MethodsAnswer>('/api/v1/payments/methods')
  const parts = [verifiers, payments] as const
  return {
    data: verifiers.data &&
      payments.data && {
        verifierIds: verifiers.data.data,
        chains: verifiers.data.meta.supportedAssetChainIds,
        ways: listWays(payments.data),
      },
    error: verifiers.error ?? payments.error,
    async reload() {
      await Promise.all(parts.map((part) => part.data === undefined && part.reload()))
    },
  }
}

function listWays({ data: { methods } }: MethodsAnswer): Way[] {
  return paymentMethods.flatMap(({ name, formLabel }) => {
    const found = methods.find((one) => one.id === name && one.enabled)
    return found ? [{ method: name, label: found.asset ? `${formLabel} (${found.asset})` : formLabel }] : []
  })
}

/** The wallet that payments on a chain may go to. */
export const findOwnWallet = (): string | undefined => session.accounts.find((one) => /^0x/.test(one.wallet))?.wallet

/** The members of a price that accepts every payment method. */
export function offerEveryWay(ways: readonly Way[]): Pick<Price, 'methods' | 'recipient'> {
  const methods = ways.map(({ method }) => method)
  const recipient = methods.some(isPaidOnChain) ? findOwnWallet() : undefined
  return { methods, ...(recipient === undefined ? {} : { recipient }) }
}

/** A template does not know the payment methods of this server. */
export const keepPayable = (definition: Definition, { ways }: Catalog): Definition =>
  definition.price?.methods.length === 0
    ? {
        ...definition,
        price: {
          ...definition.price,
          ...offerEveryWay(ways),
          rewardAfter: chooseUsualMoment(definition.rewards ?? []),
        },
      }
    : definition

/** A definition that somebody typed, or an older draft, with the names of payment methods that the form knows. */
export function withMethodNames(definition: Definition): Definition {
  const { price } = definition
  if (typeof price !== 'object' || price === null || !Array.isArray(price.methods)) return definition
  const methods = price.methods.map((written: unknown) =>
    typeof written === 'string' ? (findMethod(written)?.name ?? written) : written,
  )
  return { ...definition, price: { ...price, methods: methods as string[] } }
}
