import chainpoint from './chainpoint.fr.json' with { type: 'json' }
import opentimestamps from './opentimestamps.fr.json' with { type: 'json' }
import cms from './cms.fr.json' with { type: 'json' }
import xades from './xades.fr.json' with { type: 'json' }
import timestamp from './timestamp.fr.json' with { type: 'json' }
import evidenceRecord from './evidence-record.fr.json' with { type: 'json' }
import digest from './digest.fr.json' with { type: 'json' }
import checkpoint from './checkpoint.fr.json' with { type: 'json' }
import logProof from './log-proof.fr.json' with { type: 'json' }
import bitcoinMessage from './bitcoin-message.fr.json' with { type: 'json' }
import nanoMessage from './nano-message.fr.json' with { type: 'json' }
import asic from './asic.fr.json' with { type: 'json' }
import wacz from './wacz.fr.json' with { type: 'json' }
import pdf from './pdf.fr.json' with { type: 'json' }
import trustedList from './trusted-list.fr.json' with { type: 'json' }

/** Words of every proof but the package, French: one file for each kind, so that `verify.html` and the page load one language. */
export const proofWords: Readonly<Record<string, string>> = {
  ...opentimestamps,
  ...bitcoinMessage,
  ...digest,
  ...chainpoint,
  ...nanoMessage,
  ...logProof,
  ...trustedList,
  ...checkpoint,
  ...timestamp,
  ...cms,
  ...xades,
  ...evidenceRecord,
  ...pdf,
  ...asic,
  ...wacz,
}
