/** The terms of a gate at a moment: a payment counts for the version at its time. */
import type { Parts } from '../../parts.ts'
import { isCharged } from '../../payments/offer.ts'
import type { GateTerms, PricedVersion } from '../../payments/payment.ts'
import type { Gate } from '../gate.ts'
import { findApplicableVersion, findDefinition, listVersionRange } from '../store.ts'

/** The normal delay of a block's time behind our clock: a slot of Ethereum, and a little. */
const lagMs = 15_000

/** For PaymentOffer.terms. */
export function openTerms(parts: Pick<Parts, 'db'>, { id }: Pick<Gate, 'id'>): GateTerms {
  const findPricedVersion = (version: number): PricedVersion | undefined => {
    const definition = findDefinition(parts, id, version)
    return definition && { version, price: isCharged(definition.price) ? definition.price : undefined }
  }
  return {
    of: findPricedVersion,
    between: (from, to) => listVersionRange(parts, id, from, to).flatMap((version) => findPricedVersion(version) ?? []),
    at(moment) {
      // Blocks tell their time in whole seconds.
      const second = Math.floor(moment / 1000) * 1000
      const versions = [second + 999, second, second + lagMs].map((at) => findApplicableVersion(parts, id, at))
      const isEarly = versions[0] === undefined
      return [...new Set(versions)].flatMap((version) => {
        const found = version === undefined ? undefined : findPricedVersion(version)
        return found ? [isEarly ? { ...found, isEarly } : found] : []
      })
    },
  }
}
