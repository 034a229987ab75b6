/**
 * What an erasure deletes, part by part: each folder erases its own rows. Each slice of a part is a write of its own and
 * bounded in its rows, so that other writes go in between.
 */
import { type ErasureStage, joinStages } from '../db/erasing.ts'
import { erasureOfFulfillments, erasureOfPlaces } from '../gates/fulfill/erase-store.ts'
import {
  erasureOfCheckouts,
  erasureOfQuotes,
  erasureOfSettlements,
  erasureOfUnmatched,
} from '../payments/erase-store.ts'
import { erasureOfFacts, erasureOfGrants, erasureOfLinks, erasureOfProofs } from '../proofs/erase-store.ts'

/** In this order: a link is dissolved before its proof goes, and facts go before the proofs that they lead to. */
export const erasureStages: readonly ErasureStage[] = [
  erasureOfLinks,
  erasureOfFacts,
  erasureOfProofs,
  erasureOfFulfillments,
  erasureOfUnmatched,
  joinStages(erasureOfPlaces, erasureOfSettlements),
  erasureOfCheckouts,
  erasureOfQuotes,
  erasureOfGrants,
]

/** The stage whose rows an answer counts. */
export const countedStage = erasureOfProofs
