/** The terms of a gate at a moment: a payment counts for the version at its time. */
import { flatMapInOrder, mapInOrder } from '../../in-order.ts'
import type { Parts } from '../../parts.ts'
import { isCharged } from '../../payments/offer.ts'
import type { GateTerms, PricedVersion } from '../../payments/payment.ts'
import type { Gate } from '../gate.ts'
import { findApplicableVersion, findDefinition, listVersionRange } from '../store.ts'

/** The normal delay of a block's time behind our clock: a slot of Ethereum, and a little. */
const lagMs = 15_000

/** For PaymentOffer.terms. */
export function openTerms(parts: Pick<Parts, 'db'>, { id }: Pick<Gate, 'id'>): GateTerms {
  const findPricedVersion = async (version: number): Promise<PricedVersion | undefined> => {
    const definition = await findDefinition(parts, id, version)
    return definition && { version, price: isCharged(definition.price) ? definition.price : undefined }
  }
  return {
    of: findPricedVersion,
    between: async (from, to) =>
      flatMapInOrder(await listVersionRange(parts, id, from, to), async (version) =>
        [(await findPricedVersion(version)) ?? []].flat(),
      ),
    async at(moment) {
      // Blocks tell their time in whole seconds.
      const second = Math.floor(moment / 1000) * 1000
      const versions = await mapInOrder([second + 999, second, second + lagMs], (at) =>
        findApplicableVersion(parts, id, at),
      )
      const isEarly = versions[0] === undefined
      return flatMapInOrder([...new Set(versions)], async (version) => {
        const found = version === undefined ? undefined : await findPricedVersion(version)
        return found ? [isEarly ? { ...found, isEarly } : found] : []
      })
    },
  }
}
