/** Shows where to find a wallet: on a computer an extension or the phone, on a phone the wallet apps. */
import { renderButton, requireElement } from '../../web/ui/dom.ts'
import { wallets as words } from '../words/en/wallets.ts'
import { loadPart } from './load-part.ts'
import type { LentConnection } from './phone.ts'
import type { Wallet } from './wallet.ts'

interface Hinted {
  readonly userAgentData?: { readonly mobile?: boolean }
}

/** Touch alone is no phone: laptops have it, too. */
const isPhone = (): boolean =>
  (navigator as Hinted).userAgentData?.mobile === true || matchMedia('(hover: none) and (pointer: coarse)').matches

/** For the pages that a computer and a phone open. `connect` takes the wallet of the phone, as any other. */
export function adviseOnWallets(connect: (wallet: Wallet, pressed: HTMLElement) => void): void {
  if (isPhone()) {
    requireElement('on-computer').hidden = true
    // The text beside the links says how to go on without them.
    loadPart(() => import('./wallet-apps.ts')).then(
      ({ showWalletApps }) => showWalletApps(new URL(location.href)),
      () => undefined,
    )
    document.getElementById('by-command')?.remove()
    return
  }
  const wallet = makePhoneWallet(requireElement('phone'))
  const button: HTMLElement = renderButton(words.usePhone, () => connect(wallet, button), 'secondary')
  requireElement('use-phone').replaceChildren(button)
}

/** A wallet on the phone. The part that connects it is loaded on demand. A connected phone is not asked for again. */
function makePhoneWallet(place: HTMLElement): Wallet {
  let giveUp = (): void => {}
  let connected: LentConnection | undefined
  return {
    name: words.phone,
    icon: undefined,
    family: 'Ethereum',
    rdns: undefined,
    waiting: words.connectingPhone,
    async connect() {
      if (connected) return connected
      const { connectPhone } = await loadPart(() => import('./phone.ts'))
      const gaveUp = new Promise<never>((_, reject) => {
        // As a wallet says it when the person closes its window (EIP-1193).
        giveUp = () => reject({ code: 4001 })
      })
      // Nobody waits for it where the code could not be shown.
      gaveUp.catch(() => undefined)
      const connection = await connectPhone(place, gaveUp)
      giveUp = () => {}
      connected = connection
      connection.watch(() => {
        connected = undefined
      })
      return connection
    },
    get held() {
      return connected?.address
    },
    giveUp: () => giveUp(),
    forget: () => connected?.stop(),
  }
}
