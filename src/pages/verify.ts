/**
 * /verify without an intent: making proofs, setting up an agent, and the checkout of a gate. The page states its
 * purpose and its destination; browser/verify.ts does the work.
 */

import { computeCsrfToken, readSession } from '../auth/sessions/session.ts'
import { findVisibleGate } from '../gates/access.ts'
import { describeSeller, type ShownSeller } from '../gates/appearance/seller.ts'
import type { Gate } from '../gates/gate.ts'
import { nameGateOwner } from '../gates/owner.ts'
import { findGate } from '../gates/store.ts'
import type { Parts } from '../parts.ts'
import { describePublicChain, listChainNames } from '../payments/public-chain.ts'
import { listTokens } from '../payments/token-transfers/tokens.ts'
import type { SwitchedOff } from '../verifiers/choice.ts'
import type { AssetChain } from '../verifiers/form.ts'
import type { Language } from '../web/languages.ts'
import type { Places } from './destination.ts'
import { renderSeller } from './seller-head.ts'
import { type Html, html, readFrame, renderHtmlPage, writeRoot } from './shell.ts'
import { progressAreas, renderPhonePlace, renderWalletChoice, renderWithoutScripts } from './sign-in-root.ts'
import { type PageWithOpener, renderUnusable } from './unusable.ts'
import { describeAbsence, listPageWords, writeLead } from './verifier-words.ts'
import type { BrowserSession, OfferedVerifier, VerifyModel } from './verify-model.ts'
import { type VerifyRequest, verifyRequest } from './verify-request.ts'
import { type Words, words as wordsByLanguage } from './words/words.ts'

export async function verifyPage(parts: Parts, request: Request): Promise<PageWithOpener> {
  const { pathname, searchParams } = new URL(request.url)
  const { authUrl } = parts.addresses()
  const frame = readFrame(parts, request)
  const words = wordsByLanguage[frame.language]
  const root = writeRoot(pathname)
  const known = new Set(parts.catalog.known.keys())
  const asked = verifyRequest(searchParams, {
    verifierIds: known,
    places: listPlaces(parts),
  })
  if ('fault' in asked) {
    const { parameter, why } = asked.fault
    const page = await renderUnusable(frame, `${parameter} ${why}`, {
      href: `${root}verify`,
      text: words.verifyPage.startWithoutLink,
    })
    return { ...page, keepsOpener: false }
  }
  const offer = await findOffer(parts, request, asked.request.gateId)
  const model = await makeModel(parts, request, {
    asked: asked.request,
    known,
    language: frame.language,
    seller: offer?.seller,
  })
  const isEmpty = asked.request.verifierIds.length === 0 && asked.request.gateId === undefined
  const { title, body } = isEmpty
    ? renderChoice(model, words.verifyPage, parts.catalog.switchedOff)
    : work(model, words, { root, home: `${authUrl}/verify`, offer })
  return {
    status: 200,
    page: await renderHtmlPage({
      ...frame,
      title: `${title} · Proofgate`,
      description: words.verifyPage.description,
      scripts: isEmpty ? [] : ['verify'],
      nextScripts: isEmpty ? ['verify'] : [],
      stylesheets: asked.request.gateId === undefined ? [] : ['checkout.css'],
      body,
    }),
    keepsOpener: asked.request.popup !== undefined,
  }
}

interface Offer {
  readonly gate: Gate
  readonly seller: ShownSeller
}

/** The gate with its seller, as far as this visitor may see them. */
async function findOffer(parts: Parts, request: Request, gateId: string | undefined): Promise<Offer | undefined> {
  const stored = gateId === undefined ? undefined : await findGate(parts, gateId)
  if (!stored) return undefined
  const gate = findVisibleGate(stored) ?? findVisibleGate(stored, await findOwnName(parts, request, stored.owner))
  return gate && { gate, seller: await describeSeller(parts, gate) }
}

async function findOwnName(parts: Parts, request: Request, owner: string): Promise<string | undefined> {
  const identity = (await readSession(parts, request.headers)) && (await parts.identify(request))
  return (await identity?.listAccounts())?.map(nameGateOwner).find((name) => name === owner)
}

/** When the operator restricts the sites, this server itself is still allowed. */
export function listPlaces({ config, addresses }: Parts): Places {
  const { returnOrigins, handoverSites } = config.pages
  return {
    returnOrigins: returnOrigins.length > 0 ? [...returnOrigins, new URL(addresses().authUrl).origin] : [],
    handoverSites,
  }
}

function describeContacts({ config }: Parts, { name, domain }: ShownSeller): NonNullable<VerifyModel['contacts']> {
  const seller = name ?? domain?.name
  const { operatorContact } = config.pages
  return {
    ...(seller === undefined ? {} : { seller }),
    ...(operatorContact === undefined ? {} : { operatorContact }),
  }
}

async function makeModel(
  parts: Parts,
  request: Request,
  {
    asked,
    known,
    language,
    seller,
  }: {
    readonly asked: VerifyRequest
    readonly known: ReadonlySet<string>
    readonly language: Language
    readonly seller: ShownSeller | undefined
  },
): Promise<VerifyModel> {
  const { catalog, config, paymentMethods, verifierSettings } = parts
  const session = await readBrowserSession(parts, request)
  // A gate may require any of them.
  const ids = asked.verifierIds.length > 0 ? asked.verifierIds : [...known]
  const worded = asked.gateId === undefined ? {} : listPageWords(catalog.known, language)
  return {
    request: asked,
    brand: config.brand,
    now: parts.now(),
    hubChainId: config.signing.hubChainId,
    chainNames: listChainNames(config),
    chains: parts.outside.chains.all.map(
      (one): AssetChain => ({
        chain: one.chain,
        name: one.name,
        ...(one.kind === 'evm' ? { chainId: one.chainId } : {}),
      }),
    ),
    ...(asked.gateId === undefined
      ? {}
      : {
          networks: Object.fromEntries(
            parts.outside.chains.all.map(({ chain }) => [chain, describePublicChain(config, chain)]),
          ),
          tokens: listTokens(parts).map(({ symbol, chain: { chain } }) => ({
            symbol,
            network: describePublicChain(config, chain).name,
          })),
        }),
    ...(seller?.color == null ? {} : { color: seller.color }),
    ...(seller ? { contacts: describeContacts(parts, seller) } : {}),
    verifiers: Object.fromEntries(
      ids.map((id) => {
        const verifier = catalog.known.get(id)!
        const { flow, signInKind, keepsForever } = verifier
        return [
          id,
          {
            ...writeLead(verifier, { language, settings: verifierSettings }),
            flow,
            ...(worded[id]?.fields ? { fields: worded[id].fields } : {}),
            ...(signInKind ? { signInKind } : {}),
            ...(keepsForever ? { keepsForever } : {}),
            ...(catalog.enabled.has(id)
              ? {}
              : {
                  absence: describeAbsence(verifier, catalog.isSwitchedOff(id), {
                    language,
                    words: wordsByLanguage[language].verifyPage,
                  }),
                }),
          },
        ]
      }),
    ),
    offChainMethods: paymentMethods.filter(({ isPaidOnChain }) => !isPaidOnChain).map(({ name }) => name),
    ...(session ? { session } : {}),
  }
}

export async function readBrowserSession(parts: Parts, request: Request): Promise<BrowserSession | undefined> {
  const session = await readSession(parts, request.headers)
  const identity = session && (await parts.identify(request))
  return (
    identity && {
      accounts: (await identity.listAccounts()).map(({ wallet, contractOn }) => ({
        wallet,
        ...(contractOn === undefined ? {} : { contractOn }),
      })),
      csrf: computeCsrfToken(parts, session),
    }
  )
}

interface Written {
  readonly title: string
  readonly body: Html
}

type PageWords = Words['verifyPage']

/** The link requests nothing: the visitor may make any proof. */
function renderChoice({ verifiers }: VerifyModel, words: PageWords, switches: readonly SwitchedOff[]): Written {
  const offered = Object.entries(verifiers).filter(([, { absence }]) => absence === undefined)
  return offered.length === 0 ? renderNothingOffered(verifiers, words, switches) : offerChoice(words, offered)
}

const offerChoice = (words: PageWords, offered: readonly (readonly [string, OfferedVerifier])[]): Written => ({
  title: words.makeProof,
  body: html`<h1>${words.whatToProve}</h1>
<p class="lead">${words.lead}</p>
<ul class="choices">
${offered.map(
  ([
    id,
    { title, lead },
  ]) => html`<li><a class="choice" href="?verifiers=${id}"><span class="choice-text"><span class="choice-name">${title}</span><span class="choice-note">${lead}</span></span></a></li>
`,
)}</ul>`,
})

/** The dashboard starts the linking of wallets, and a person may give it up. */
function isOwnWallets(returnUrl: string | undefined, home: string): boolean {
  const url = returnUrl === undefined ? undefined : new URL(returnUrl)
  return url?.origin === new URL(home).origin && url.pathname.endsWith('/wallets')
}

const renderNothingOffered = (
  verifiers: VerifyModel['verifiers'],
  words: PageWords,
  switches: readonly SwitchedOff[],
): Written => ({
  title: words.noneTitle,
  body: html`<h1>${words.noneHeading}</h1>
<div class="notice warning"><p>${words.none}</p>
${switches.map(
  ({ setting, verifierIds }) =>
    html`<p class="quiet">${words.forOperator(setting, verifierIds.map((id) => verifiers[id]?.title ?? id).join(', '))}</p>
`,
)}</div>`,
})

function work(
  model: VerifyModel,
  { verifyPage: words, walletChoice, seller }: Words,
  { root, home, offer }: { readonly root: string; readonly home: string; readonly offer: Offer | undefined },
): Written {
  const { request, verifiers } = model
  const { presetLabel, message, gateId, returnUrl, popup, verifierIds } = request
  const titles = verifierIds.map((id) => verifiers[id]!.title)
  // Not the words of the link: its author could announce something other than the page does.
  const title =
    gateId !== undefined
      ? (offer?.gate.definition.name ?? words.noGate)
      : titles.length === 1
        ? titles[0]!
        : words.verification
  const [only] = titles.length === 1 ? [verifiers[verifierIds[0]!]!] : []
  const isAsked = gateId !== undefined || returnUrl !== undefined || popup !== undefined
  return {
    title,
    body: html`<div id="page"${gateId !== undefined && html` class="checkout"`} data-root="${root}" data-home="${home}" data-ask="${JSON.stringify(model)}">
${gateId !== undefined && html`<div class="offer">`}
${offer && renderSeller({ seller: offer.seller, gateId: offer.gate.gateId, root, words: seller })}
${
  !isAsked &&
  html`<p class="quiet way-back"><a href="${root}verify">${words.allKinds}</a></p>
`
}${
  isOwnWallets(returnUrl, home) &&
  html`<p class="quiet way-back"><a href="${root}wallets">${words.backToWallets}</a></p>
`
}<h1 id="title">${title}</h1>
${
  only &&
  html`<div id="about">
<p class="lead">${only.lead}</p>
${only.says !== undefined && html`<p class="quiet">${words.willSay(only.says)}</p>`}
</div>
`
}${
  (presetLabel !== undefined || message !== undefined) &&
  html`<div class="notice" id="said"><p class="quiet">${words.linkSays}</p>
${presetLabel !== undefined && html`<p class="said"><strong>${presetLabel}</strong></p>`}
${message !== undefined && html`<p class="said">${message}</p>`}</div>`
}
${gateId !== undefined && html`<div id="offer"></div></div><div class="way">`}
${titles.length > 1 && html`<ol class="steps" id="steps">${titles.map((one) => html`<li>${one}</li>`)}</ol>`}
${titles.length <= 1 && html`<ol class="steps" id="steps" hidden></ol>`}
${verifierIds.flatMap((id) => {
  const { title, absence } = verifiers[id]!
  return absence === undefined
    ? []
    : [html`<div class="notice warning"><p>${words.notOffered(title)}</p>\n<p class="quiet">${absence}</p></div>\n`]
})}<div id="summary"></div>
${progressAreas}
${renderPhonePlace({ root, purpose: gateId === undefined ? 'verify' : 'checkout', site: request.popup ?? returnUrl })}
${renderWithoutScripts(walletChoice)}
<div id="work"></div>
${
  gateId !== undefined &&
  !offer &&
  html`<p class="quiet"><a href="${root}">${words.startPage}</a></p>
`
}<div id="way-in" hidden>
${renderWalletChoice({ words: walletChoice, authUrl: home, ...(gateId === undefined ? { preview: words.walletShows } : {}) })}
</div>
${returnUrl !== undefined && new URL(returnUrl).origin !== new URL(home).origin && html`<p class="quiet destination">${words.destination(html`<strong>${new URL(returnUrl).host}</strong>`, request.handover !== undefined)}</p>`}
${gateId !== undefined && html`</div>`}</div>`,
  }
}
