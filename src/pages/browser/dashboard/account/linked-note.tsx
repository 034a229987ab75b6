/** A linked wallet has access while it is linked; it may not do anything that would outlive the link. */

import { linkedWallets } from '../../../words/en/account.ts'
import { Address } from '../address.tsx'
import { session } from '../model.ts'

export const LinkedNote = ({ may }: { readonly may: string }) => (
  <p class="notice">{linkedWallets.note(may, <Address value={session.accounts[0]!.wallet} />)}</p>
)
