/** Runs on any page: text in `pre data-copy` gets a button that copies it. */
import { offerCopies, offerValues } from './offer-copies.ts'

offerCopies()
offerValues()
