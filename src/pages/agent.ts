/** /agent/{agentId}: who an agent is, who lets it act and who else says so, as its card says. It needs no script. */
import { type AgentCard, encodeWord, readAgentCard } from '../agents/card.ts'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { isolateLine } from '../verifiers/phrases.ts'
import type { Language } from '../web/languages.ts'
import { isDigits } from './fact-lines.ts'
import { renderMoment } from './moment.ts'
import { renderRefusalPage } from './refusal.ts'
import { type Html, html, type Inserted, readFrame, renderHtmlPage, writeRoot } from './shell.ts'
import type { Made } from './unusable.ts'
import { words as wordsByLanguage } from './words/words.ts'

export async function renderAgentPage(parts: Parts, request: Request, agentId: string): Promise<Made> {
  const { searchParams } = new URL(request.url)
  const agentWallet = searchParams.get('agentWallet') ?? undefined
  const frame = readFrame(parts, request)
  const words = wordsByLanguage[frame.language].agentPage
  try {
    const card = await readAgentCard(parts, { agentId, agentWallet })
    return {
      status: 200,
      page: await renderHtmlPage({
        ...frame,
        title: `${isolateLine(card.label)} · Proofgate`,
        description: words.description,
        scripts: ['copy'],
        body: renderCard(card, frame.language, { root: writeRoot(frame.path), baseUrl: parts.addresses().baseUrl }),
      }),
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'CONFLICT') {
      const wallets = error.details.agentWallets as readonly string[]
      return {
        status: 409,
        page: await renderHtmlPage({
          ...frame,
          title: `${words.which} · Proofgate`,
          body: renderChoice(words.which, words.whichLead(isolateLine(agentId)), wallets),
        }),
      }
    }
    const status = error.code === 'NOT_FOUND' ? 404 : 400
    return { status, page: await renderRefusalPage(error, frame) }
  }
}

const renderFact = (name: string, value: Inserted): Html =>
  html`<div><dt>${name}</dt><dd${typeof value === 'string' && isDigits(value) && html` class="address"`}>${value}</dd></div>
`

function renderCard(
  card: AgentCard,
  language: Language,
  { root, baseUrl }: { readonly root: string; readonly baseUrl: string },
): Html {
  const words = wordsByLanguage[language].agentPage
  const { agentId, wallet, label, description, capabilities, skills, services, identityQHash } = card
  const cardUrl = `${baseUrl}/api/v1/agents/card/${encodeWord(agentId)}?agentWallet=${encodeWord(wallet)}`
  return html`<h1><bdi>${label}</bdi></h1>
<p class="notice">${words.notice}</p>
${description !== null && html`<p class="lead"><bdi>${description}</bdi></p>`}
<dl class="facts">${renderFact(words.id, agentId)}${renderFact(words.wallet, wallet)}${
    capabilities.length > 0 && renderFact(words.abilities, capabilities.join(', '))
  }${skills.length > 0 && renderFact(words.skills, skills.map(({ id, label: name }) => isolateLine(String(name ?? id))).join(', '))}${services.map(
    ({ name, endpoint }) => renderFact(words.service(isolateLine(name)), endpoint),
  )}</dl>
<p><a href="${root}proof/${identityQHash}">${words.identityProof}</a></p>
${renderDelegations(card, language, root)}
<h2>${words.programs}</h2>
<pre class="code" data-copy="${words.copyCommand}">curl '${cardUrl}'</pre>`
}

/** Delegations that the agent agreed to are listed apart from claims that anybody can make about it. */
function renderDelegations(
  { wallet, delegations, moreDelegations }: AgentCard,
  language: Language,
  root: string,
): Html {
  const words = wordsByLanguage[language].agentPage
  const agreed = delegations.filter(({ agentAgreed }) => agentAgreed)
  const others = delegations.filter(({ agentAgreed }) => !agentAgreed)
  const show = ({ controllerWallet, agentAgreed, scope, expiresAt, qHash }: AgentCard['delegations'][number]) =>
    html`<dl class="facts">${renderFact(words.wallet, controllerWallet)}${
      agentAgreed && renderFact(words.relation, controllerWallet === wallet ? words.own : words.linked)
    }${renderFact(words.purpose, scope)}${renderFact(words.until, expiresAt === null ? words.revoked : renderMoment(expiresAt, language))}</dl>
<p><a href="${root}proof/${qHash}">${words.delegationProof}</a></p>
`
  return html`${
    agreed.length > 0 &&
    html`<h2>${words.controllers}</h2>
${agreed.map(show)}`
  }${
    others.length > 0 &&
    html`<h2>${words.claims}</h2>
<p>${words.claimsNotice}</p>
${others.map(show)}`
  }${
    delegations.length === 0 &&
    html`<h2>${words.controllers}</h2>
<p>${words.nobody}</p>`
  }${moreDelegations && html`<p>${words.more}</p>`}`
}

const renderChoice = (heading: string, lead: string, wallets: readonly string[]): Html => html`<h1>${heading}</h1>
<p class="lead">${lead}</p>
<ul>${wallets.map((wallet) => html`<li><a class="address" href="?agentWallet=${encodeWord(wallet)}">${wallet}</a></li>`)}</ul>`
