/** The shape of a price, with the payment methods of this build. */
import { type TUnsafe, Type } from '@sinclair/typebox'
import { defineChoice } from '../shape.ts'
import { methodIds, methodNames } from './methods.ts'
import { definePrice } from './price.ts'

/** By id, as definitions are kept (gates/definition/price-names.ts reads and writes names). Messages list the names. */
const storedMethod = { ...defineChoice(methodIds), shownWords: methodNames }

export const Price = definePrice(
  Type.Array(storedMethod as TUnsafe<string>, { minItems: 1, maxItems: methodIds.length, uniqueItems: true }),
)

/** A price as it goes out. */
export const ShownPrice = definePrice(Type.Array(defineChoice(methodNames) as TUnsafe<string>, { minItems: 1 }))
