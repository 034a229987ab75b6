/** Runs on /verify and /login. */
import { offerCopies } from './offer-copies.ts'

offerCopies()
