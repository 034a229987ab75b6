/** Opens the outside world from the configuration: one call to each network's own opening. */

import type { Config } from '../config/schema.ts'
import { openChains } from './chains/open.ts'
import { type DnsSettings, openDns } from './dns/open.ts'
import { openDocuments } from './documents/documents.ts'
import { makeGuard, makePublicGuard } from './http/address-guard.ts'
import { type HumanSettings, openHuman } from './human/open.ts'
import { openIpfs } from './ipfs/open.ts'
import type { ModerationSettings } from './moderation/moderation.ts'
import { openModeration } from './moderation/open.ts'
import { openNames } from './names/ens.ts'
import type { Outside } from './outside.ts'
import { type TellRefusedKey, tellSeldom } from './panel.ts'
import { openRisk, type RiskSettings } from './risk/open.ts'
import { openSocial } from './social/open.ts'
import type { ProviderSettings } from './social/plan.ts'
import type { OutsideTools } from './tools.ts'
import { openWatch } from './watch.ts'

/** A person waits for the page that needs it. */
const documentTimeoutMs = 5000

/** The configuration, and the settings of the providers that verifiers ask. */
interface OutsideSettings extends Pick<Config, 'brand' | 'outside' | 'chains' | 'ipfs' | 'oauth'> {
  readonly dns: DnsSettings
  readonly risk: RiskSettings
  readonly moderation: ModerationSettings
  readonly human: HumanSettings
  readonly social: Readonly<Record<string, ProviderSettings>>
}

/** Makes no call: the first question does. */
export function openOutside(
  config: OutsideSettings,
  now: () => number,
  tellRefusedKey: TellRefusedKey = () => undefined,
): Outside {
  const { timeoutSeconds, attempts, privateNetworks } = config.outside
  const watch = openWatch(now)
  const tools: OutsideTools = {
    policy: { timeoutMs: timeoutSeconds * 1000, attempts, guard: makeGuard(privateNetworks), watch },
    now,
    tellRefusedKey: tellSeldom(tellRefusedKey, now),
  }
  const { chains, probes: chainProbes } = openChains(config.chains, tools)
  const { dns, probes: dnsProbes } = openDns(config.dns, tools)
  const { risk, probes: riskProbes } = openRisk(config.risk, config.chains, chains, tools)
  const { moderation, probes: moderationProbes } = openModeration(config.moderation, tools)
  const { human, probes: humanProbes } = openHuman(config.human, config.brand, chains, tools)
  const { ipfs, probes: ipfsProbes } = openIpfs(config.ipfs, tools)
  const { social, probes: socialProbes } = openSocial(config.social, tools)
  return {
    chains,
    dns,
    risk,
    moderation,
    human,
    ipfs,
    documents: config.oauth.clientMetadataDocuments
      ? openDocuments({ guard: makePublicGuard(), timeoutMs: Math.min(timeoutSeconds * 1000, documentTimeoutMs) })
      : undefined,
    names: openNames(chains, now),
    social,
    probes: [
      ...chainProbes,
      ...dnsProbes,
      ...riskProbes,
      ...moderationProbes,
      ...humanProbes,
      ...ipfsProbes,
      ...socialProbes,
    ],
    watch,
  }
}
