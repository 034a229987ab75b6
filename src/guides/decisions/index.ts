/** Every decision, the oldest first. To add one: write its file, import it, list it at the end. */
import oneProcess from './001-one-process.md' with { type: 'text' }
import sqlite from './002-sqlite.md' with { type: 'text' }
import privateByDefault from './003-private-by-default.md' with { type: 'text' }
import signedText from './004-signed-text.md' with { type: 'text' }
import threeAnswers from './005-three-answers.md' with { type: 'text' }
import errorNames from './006-error-names.md' with { type: 'text' }
import olderPaths from './007-older-paths.md' with { type: 'text' }
import dataIsAnObject from './008-data-is-an-object.md' with { type: 'text' }
import sameRequestSameProof from './009-same-request-same-proof.md' with { type: 'text' }
import allowanceAfterSignature from './010-allowance-after-signature.md' with { type: 'text' }
import oneNamespace from './011-one-namespace.md' with { type: 'text' }
import runsOfAClaim from './012-runs-of-a-claim.md' with { type: 'text' }
import totals from './013-totals.md' with { type: 'text' }
import strictSignatures from './014-strict-signatures.md' with { type: 'text' }
import signatureRecovery from './015-signature-recovery.md' with { type: 'text' }
import apiDescription from './016-api-description.md' with { type: 'text' }
import recordingOnChains from './017-recording-on-chains.md' with { type: 'text' }
import unsignedDomain from './018-unsigned-domain.md' with { type: 'text' }
import assetChainOnce from './019-asset-chain-once.md' with { type: 'text' }
import riskMeansPolicy from './020-risk-means-policy.md' with { type: 'text' }
import operatorChoosesJudges from './021-operator-chooses-judges.md' with { type: 'text' }
import riskWithoutAChain from './022-risk-without-a-chain.md' with { type: 'text' }
import pinnedAddresses from './023-pinned-addresses.md' with { type: 'text' }
import contractWallets from './024-contract-wallets.md' with { type: 'text' }
import gatesCommand from './025-gates-command.md' with { type: 'text' }
import shortFacts from './026-short-facts.md' with { type: 'text' }
import newestRunCounts from './027-newest-run-counts.md' with { type: 'text' }
import signedFulfillment from './028-signed-fulfillment.md' with { type: 'text' }
import paymentBoundFirst from './029-payment-bound-first.md' with { type: 'text' }
import paymentNames from './030-payment-names.md' with { type: 'text' }
import x402OnChain from './031-x402-on-chain.md' with { type: 'text' }
import transferBuysItsVersion from './032-transfer-buys-its-version.md' with { type: 'text' }
import secretsStaySealed from './033-secrets-stay-sealed.md' with { type: 'text' }
import mcpNeedsABearer from './034-mcp-needs-a-bearer.md' with { type: 'text' }
import consent from './035-consent.md' with { type: 'text' }
import oneRowGrant from './036-one-row-grant.md' with { type: 'text' }
import unsignedClaims from './037-unsigned-claims.md' with { type: 'text' }
import statelessNonce from './038-stateless-nonce.md' with { type: 'text' }
import primaryAccount from './039-primary-account.md' with { type: 'text' }
import socialAccounts from './040-social-accounts.md' with { type: 'text' }
import personhoodId from './041-personhood-id.md' with { type: 'text' }
import wholeWindowSignIn from './042-whole-window-sign-in.md' with { type: 'text' }
import checkoutSignsIn from './043-checkout-signs-in.md' with { type: 'text' }
import wordsOfALink from './044-words-of-a-link.md' with { type: 'text' }
import pagesWithoutAFramework from './045-pages-without-a-framework.md' with { type: 'text' }
import countedInMemory from './046-counted-in-memory.md' with { type: 'text' }
import hiddenOperators from './047-hidden-operators.md' with { type: 'text' }
import unlinkingIsRevoking from './048-unlinking-is-revoking.md' with { type: 'text' }
import portableFormOnRequest from './049-portable-form-on-request.md' with { type: 'text' }
import searchByScanning from './050-search-by-scanning.md' with { type: 'text' }
import draftsInTheBrowser from './051-drafts-in-the-browser.md' with { type: 'text' }
import sumsInDollars from './052-sums-in-dollars.md' with { type: 'text' }
import tryingIsChecking from './053-trying-is-checking.md' with { type: 'text' }
import previewsAnswer from './054-previews-answer.md' with { type: 'text' }
import rewardByPlace from './055-reward-by-place.md' with { type: 'text' }
import referencePage from './056-reference-page.md' with { type: 'text' }
import clientCryptography from './057-client-cryptography.md' with { type: 'text' }
import widgetOpensAPage from './058-widget-opens-a-page.md' with { type: 'text' }
import dashboard from './059-dashboard.md' with { type: 'text' }
import writerThread from './060-writer-thread.md' with { type: 'text' }
import commandsWithoutConfiguration from './061-commands-without-configuration.md' with { type: 'text' }
import containerImage from './062-container-image.md' with { type: 'text' }
import billingOff from './063-billing-off.md' with { type: 'text' }
import registrationsMakeRoom from './064-registrations-make-room.md' with { type: 'text' }
import erasingInSlices from './065-erasing-in-slices.md' with { type: 'text' }
import admission from './066-admission.md' with { type: 'text' }
import audience from './067-audience.md' with { type: 'text' }
import oneTextOneProof from './068-one-text-one-proof.md' with { type: 'text' }
import latestScope from './069-latest-scope.md' with { type: 'text' }
import encryptedCursors from './070-encrypted-cursors.md' with { type: 'text' }
import listsWithinABudget from './071-lists-within-a-budget.md' with { type: 'text' }
import unlistedIds from './072-unlisted-ids.md' with { type: 'text' }
import secondsRefused from './073-seconds-refused.md' with { type: 'text' }
import workBudget from './074-work-budget.md' with { type: 'text' }
import unknownParameters from './075-unknown-parameters.md' with { type: 'text' }
import loopback from './076-loopback.md' with { type: 'text' }
import streamSafeText from './077-stream-safe-text.md' with { type: 'text' }
import whoDissolvesALink from './078-who-dissolves-a-link.md' with { type: 'text' }
import endsWithinAYear from './079-ends-within-a-year.md' with { type: 'text' }
import agentEndsWithItsApp from './080-agent-ends-with-its-app.md' with { type: 'text' }
import endingAGrant from './081-ending-a-grant.md' with { type: 'text' }
import endedByTriggers from './082-ended-by-triggers.md' with { type: 'text' }
import boundedVersions from './083-bounded-versions.md' with { type: 'text' }
import shortGateRows from './084-short-gate-rows.md' with { type: 'text' }
import ruleHasAShape from './085-rule-has-a-shape.md' with { type: 'text' }
import toml from './086-toml.md' with { type: 'text' }
import libraries from './087-libraries.md' with { type: 'text' }
import guidesInTheExecutable from './088-guides-in-the-executable.md' with { type: 'text' }
import layout from './089-layout.md' with { type: 'text' }
import asynchronousReads from './090-asynchronous-reads.md' with { type: 'text' }
import credentialsFirst from './091-credentials-first.md' with { type: 'text' }
import guestLists from './092-guest-lists.md' with { type: 'text' }
import chosenScopes from './093-chosen-scopes.md' with { type: 'text' }
import whatPayingShows from './094-what-paying-shows.md' with { type: 'text' }
import wordsOfThePages from './095-words-of-the-pages.md' with { type: 'text' }
import previewPicture from './096-preview-picture.md' with { type: 'text' }
import walletsOnPhones from './097-wallets-on-phones.md' with { type: 'text' }
import visibilityBySignature from './098-visibility-by-signature.md' with { type: 'text' }
import shareLinks from './099-share-links.md' with { type: 'text' }
import pausedGates from './100-paused-gates.md' with { type: 'text' }
import lookOfACheckout from './101-look-of-a-checkout.md' with { type: 'text' }
import namesOfWallets from './102-names-of-wallets.md' with { type: 'text' }
import namesAndPasses from './105-names-and-passes.md' with { type: 'text' }
import monitoringWithoutALibrary from './106-monitoring-without-a-library.md' with { type: 'text' }
import packages from './107-packages.md' with { type: 'text' }
import signedReleases from './108-signed-releases.md' with { type: 'text' }
import backupsAndRestores from './109-backups-and-restores.md' with { type: 'text' }
import exports from './111-exports.md' with { type: 'text' }
import continuousBackup from './112-continuous-backup.md' with { type: 'text' }
import imports from './113-imports.md' with { type: 'text' }
import publicAddresses from './114-public-addresses.md' with { type: 'text' }
import ownRecovery from './115-own-recovery.md' with { type: 'text' }
import fewPages from './116-few-pages.md' with { type: 'text' }
import loadAtFirstUse from './117-load-at-first-use.md' with { type: 'text' }
import postgresql from './118-postgresql.md' with { type: 'text' }
import severalServers from './119-several-servers.md' with { type: 'text' }
import replicasAndRolling from './120-replicas-and-rolling.md' with { type: 'text' }

/** `name` is the file name without `.md`, and the last part of its address. */
export const decisions: readonly { readonly name: string; readonly markdown: string }[] = [
  { name: '001-one-process', markdown: oneProcess },
  { name: '002-sqlite', markdown: sqlite },
  { name: '003-private-by-default', markdown: privateByDefault },
  { name: '004-signed-text', markdown: signedText },
  { name: '005-three-answers', markdown: threeAnswers },
  { name: '006-error-names', markdown: errorNames },
  { name: '007-older-paths', markdown: olderPaths },
  { name: '008-data-is-an-object', markdown: dataIsAnObject },
  { name: '009-same-request-same-proof', markdown: sameRequestSameProof },
  { name: '010-allowance-after-signature', markdown: allowanceAfterSignature },
  { name: '011-one-namespace', markdown: oneNamespace },
  { name: '012-runs-of-a-claim', markdown: runsOfAClaim },
  { name: '013-totals', markdown: totals },
  { name: '014-strict-signatures', markdown: strictSignatures },
  { name: '015-signature-recovery', markdown: signatureRecovery },
  { name: '016-api-description', markdown: apiDescription },
  { name: '017-recording-on-chains', markdown: recordingOnChains },
  { name: '018-unsigned-domain', markdown: unsignedDomain },
  { name: '019-asset-chain-once', markdown: assetChainOnce },
  { name: '020-risk-means-policy', markdown: riskMeansPolicy },
  { name: '021-operator-chooses-judges', markdown: operatorChoosesJudges },
  { name: '022-risk-without-a-chain', markdown: riskWithoutAChain },
  { name: '023-pinned-addresses', markdown: pinnedAddresses },
  { name: '024-contract-wallets', markdown: contractWallets },
  { name: '025-gates-command', markdown: gatesCommand },
  { name: '026-short-facts', markdown: shortFacts },
  { name: '027-newest-run-counts', markdown: newestRunCounts },
  { name: '028-signed-fulfillment', markdown: signedFulfillment },
  { name: '029-payment-bound-first', markdown: paymentBoundFirst },
  { name: '030-payment-names', markdown: paymentNames },
  { name: '031-x402-on-chain', markdown: x402OnChain },
  { name: '032-transfer-buys-its-version', markdown: transferBuysItsVersion },
  { name: '033-secrets-stay-sealed', markdown: secretsStaySealed },
  { name: '034-mcp-needs-a-bearer', markdown: mcpNeedsABearer },
  { name: '035-consent', markdown: consent },
  { name: '036-one-row-grant', markdown: oneRowGrant },
  { name: '037-unsigned-claims', markdown: unsignedClaims },
  { name: '038-stateless-nonce', markdown: statelessNonce },
  { name: '039-primary-account', markdown: primaryAccount },
  { name: '040-social-accounts', markdown: socialAccounts },
  { name: '041-personhood-id', markdown: personhoodId },
  { name: '042-whole-window-sign-in', markdown: wholeWindowSignIn },
  { name: '043-checkout-signs-in', markdown: checkoutSignsIn },
  { name: '044-words-of-a-link', markdown: wordsOfALink },
  { name: '045-pages-without-a-framework', markdown: pagesWithoutAFramework },
  { name: '046-counted-in-memory', markdown: countedInMemory },
  { name: '047-hidden-operators', markdown: hiddenOperators },
  { name: '048-unlinking-is-revoking', markdown: unlinkingIsRevoking },
  { name: '049-portable-form-on-request', markdown: portableFormOnRequest },
  { name: '050-search-by-scanning', markdown: searchByScanning },
  { name: '051-drafts-in-the-browser', markdown: draftsInTheBrowser },
  { name: '052-sums-in-dollars', markdown: sumsInDollars },
  { name: '053-trying-is-checking', markdown: tryingIsChecking },
  { name: '054-previews-answer', markdown: previewsAnswer },
  { name: '055-reward-by-place', markdown: rewardByPlace },
  { name: '056-reference-page', markdown: referencePage },
  { name: '057-client-cryptography', markdown: clientCryptography },
  { name: '058-widget-opens-a-page', markdown: widgetOpensAPage },
  { name: '059-dashboard', markdown: dashboard },
  { name: '060-writer-thread', markdown: writerThread },
  { name: '061-commands-without-configuration', markdown: commandsWithoutConfiguration },
  { name: '062-container-image', markdown: containerImage },
  { name: '063-billing-off', markdown: billingOff },
  { name: '064-registrations-make-room', markdown: registrationsMakeRoom },
  { name: '065-erasing-in-slices', markdown: erasingInSlices },
  { name: '066-admission', markdown: admission },
  { name: '067-audience', markdown: audience },
  { name: '068-one-text-one-proof', markdown: oneTextOneProof },
  { name: '069-latest-scope', markdown: latestScope },
  { name: '070-encrypted-cursors', markdown: encryptedCursors },
  { name: '071-lists-within-a-budget', markdown: listsWithinABudget },
  { name: '072-unlisted-ids', markdown: unlistedIds },
  { name: '073-seconds-refused', markdown: secondsRefused },
  { name: '074-work-budget', markdown: workBudget },
  { name: '075-unknown-parameters', markdown: unknownParameters },
  { name: '076-loopback', markdown: loopback },
  { name: '077-stream-safe-text', markdown: streamSafeText },
  { name: '078-who-dissolves-a-link', markdown: whoDissolvesALink },
  { name: '079-ends-within-a-year', markdown: endsWithinAYear },
  { name: '080-agent-ends-with-its-app', markdown: agentEndsWithItsApp },
  { name: '081-ending-a-grant', markdown: endingAGrant },
  { name: '082-ended-by-triggers', markdown: endedByTriggers },
  { name: '083-bounded-versions', markdown: boundedVersions },
  { name: '084-short-gate-rows', markdown: shortGateRows },
  { name: '085-rule-has-a-shape', markdown: ruleHasAShape },
  { name: '086-toml', markdown: toml },
  { name: '087-libraries', markdown: libraries },
  { name: '088-guides-in-the-executable', markdown: guidesInTheExecutable },
  { name: '089-layout', markdown: layout },
  { name: '090-asynchronous-reads', markdown: asynchronousReads },
  { name: '091-credentials-first', markdown: credentialsFirst },
  { name: '092-guest-lists', markdown: guestLists },
  { name: '093-chosen-scopes', markdown: chosenScopes },
  { name: '094-what-paying-shows', markdown: whatPayingShows },
  { name: '095-words-of-the-pages', markdown: wordsOfThePages },
  { name: '096-preview-picture', markdown: previewPicture },
  { name: '097-wallets-on-phones', markdown: walletsOnPhones },
  { name: '098-visibility-by-signature', markdown: visibilityBySignature },
  { name: '099-share-links', markdown: shareLinks },
  { name: '100-paused-gates', markdown: pausedGates },
  { name: '101-look-of-a-checkout', markdown: lookOfACheckout },
  { name: '102-names-of-wallets', markdown: namesOfWallets },
  { name: '105-names-and-passes', markdown: namesAndPasses },
  { name: '106-monitoring-without-a-library', markdown: monitoringWithoutALibrary },
  { name: '107-packages', markdown: packages },
  { name: '108-signed-releases', markdown: signedReleases },
  { name: '109-backups-and-restores', markdown: backupsAndRestores },
  { name: '111-exports', markdown: exports },
  { name: '112-continuous-backup', markdown: continuousBackup },
  { name: '113-imports', markdown: imports },
  { name: '114-public-addresses', markdown: publicAddresses },
  { name: '115-own-recovery', markdown: ownRecovery },
  { name: '116-few-pages', markdown: fewPages },
  { name: '117-load-at-first-use', markdown: loadAtFirstUse },
  { name: '118-postgresql', markdown: postgresql },
  { name: '119-several-servers', markdown: severalServers },
  { name: '120-replicas-and-rolling', markdown: replicasAndRolling },
]
