/** The pictures of the guides, embedded in the executable. To add one: put it into pictures/, import it and list it. */
import checkoutMissing from './pictures/checkout-missing.png' with { type: 'file' }
import checkoutPay from './pictures/checkout-pay.png' with { type: 'file' }
import dashboardGatesBuilder from './pictures/dashboard-gates-builder.png' with { type: 'file' }
import dashboardNumbers from './pictures/dashboard-numbers.png' with { type: 'file' }
import dashboardVault from './pictures/dashboard-vault.png' with { type: 'file' }
import flow from './pictures/flow.svg' with { type: 'file' }
import verifyNo from './pictures/verify-no.png' with { type: 'file' }
import widget from './pictures/widget.png' with { type: 'file' }

/** By the file name, which is also the last part of the address `/docs/guides/pictures/<name>`. */
export const guidePictures: ReadonlyMap<string, string> = new Map([
  ['checkout-missing.png', checkoutMissing],
  ['checkout-pay.png', checkoutPay],
  ['dashboard-gates-builder.png', dashboardGatesBuilder],
  ['dashboard-numbers.png', dashboardNumbers],
  ['dashboard-vault.png', dashboardVault],
  ['flow.svg', flow],
  ['verify-no.png', verifyNo],
  ['widget.png', widget],
])

export const readPicture = (name: string): Promise<Uint8Array<ArrayBuffer>> =>
  Bun.file(guidePictures.get(name)!).bytes()
