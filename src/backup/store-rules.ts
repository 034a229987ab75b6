/** Every rule of the store, for drills and for the check of a running server. To add one: write it where its table is owned. */
import type { StoreRule } from '../db/store-rule.ts'
import { gateRules } from '../gates/rules-store.ts'
import { totalsRules } from '../operator/rules-store.ts'
import { proofRules } from '../proofs/rules-store.ts'

export const storeRules: readonly StoreRule[] = [...totalsRules, ...proofRules, ...gateRules]
