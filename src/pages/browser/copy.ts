/** Runs on any page: text in `pre data-copy` gets a button that copies it, and times are local ones. */
import { offerLinks } from './copy-link.ts'
import { showLocalTimes } from './local-times.ts'
import { offerCopies, offerValues } from './offer-copies.ts'

offerCopies()
offerValues()
offerLinks()
showLocalTimes()
