/** Who can see a proof, in the same words wherever it is chosen, changed or shown. */

export const visibility = {
  who: 'Who can see it',
  private: {
    word: 'Private',
    meaning: 'Only its owner can read it, and those with whom the owner shares it.',
  },
  unlisted: { word: 'By link', meaning: 'Everyone with its link or id can read it. It is not listed anywhere.' },
  listed: { word: 'Public', meaning: 'Everyone can read it. It is listed under its wallet.' },
}

/** How long a proof is shared, by its seconds: with a wallet or by a link, wherever it is chosen. */
export const shareTimes = { 900: '15 minutes', 86400: '1 day', 604800: '7 days', 2592000: '30 days' }
