/** [pages]: The pages that people are sent to for verification and checkout. */
import { Type } from '@sinclair/typebox'
import { parseWebUrl } from '../../web-url.ts'
import { isHandoverSite, isOrigin } from '../address.ts'
import { describeTable, describeText, list } from '../setting.ts'

/** A mail address, or an https page to write to. */
const isContact = (text: string): boolean =>
  /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(text) || parseWebUrl(text)?.protocol === 'https:'

export const pages = describeTable({
  operator_name: Type.Optional(
    describeText({
      description: 'Name of the person or the organization that runs this server, shown on the start page.',
      consequence: 'It is only shown.',
      whenEmpty: 'the start page names nobody',
      example: 'Example Cooperative',
      maxLength: 100,
    }),
  ),
  operator_contact: Type.Optional(
    describeText({
      description:
        'Mail address, or https address of a page, at which the operator can be reached. Shown on the start page.',
      consequence: 'Everybody who opens the start page can read it.',
      whenEmpty: 'the start page names no contact',
      expected: 'a mail address, or an address such as https://example.com/contact',
      example: 'operator@example.com',
      maxLength: 200,
      accepts: isContact,
    }),
  ),
  return_origins: list(Type.String({ accepts: isOrigin }), {
    description:
      'Web origins that the pages may send people back to (returnUrl, origin of a popup). [] is every https origin; the person sees where to, and confirms.',
    consequence: 'A link that names another site is refused.',
    expected: 'origins such as https://app.example.com (no path, no trailing slash)',
    default: [],
    example: ['https://app.example.com'],
    maxItems: 100,
  }),
  handover_sites: list(Type.String({ accepts: isHandoverSite }), {
    description:
      'Sites whose server may learn who a person is: an origin for all its pages and its popups, or one address with its path, which returnUrl must be exactly. Each person is asked.',
    consequence:
      'A site that is not listed gets no code. An origin is safe only where none of its pages sends visitors on to places that a link names.',
    expected:
      'origins such as https://app.example.com, or addresses such as https://app.example.com/signed-in; http on loopback, whose port is left out',
    default: [],
    example: ['https://app.example.com'],
    maxItems: 100,
  }),
})
