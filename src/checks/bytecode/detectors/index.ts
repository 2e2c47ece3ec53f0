import type { Detector } from '../detector.js'
import { allowanceBypass } from './allowance-bypass.js'
import { allowanceForge } from './allowance-forge.js'
import { allowancePuller } from './allowance-puller.js'
import { alteredApprove } from './altered-approve.js'
import { alteredTransfer } from './altered-transfer.js'
import { arbitraryCall } from './arbitrary-call.js'
import { arbitraryWrite } from './arbitrary-write.js'
import { balanceSeizure } from './balance-seizure.js'
import { blacklist } from './blacklist.js'
import { dynamicDeployment } from './dynamic-deployment.js'
import { environmentTransfer } from './environment-transfer.js'
import { externalTransferCall } from './external-transfer-call.js'
import { fakeTransferEvent } from './fake-transfer-event.js'
import { hiddenMint } from './hidden-mint.js'
import { hiddenOwner } from './hidden-owner.js'
import { hiddenProxy } from './hidden-proxy.js'
import { killSwitch } from './kill-switch.js'
import { lyingBalance } from './lying-balance.js'
import { metamorphicOrigin } from './metamorphic-origin.js'
import { modifiableFee } from './modifiable-fee.js'
import { nativeForwarder } from './native-forwarder.js'
import { privilegedTransfer } from './privileged-transfer.js'
import { tradingSwitch } from './trading-switch.js'
import { transferCooldown } from './transfer-cooldown.js'
import { transferLimit } from './transfer-limit.js'
import { whitelist } from './whitelist.js'

/**
 * Every rule that looks at bytecode. Among findings of one level, the order here decides which is
 * named first.
 */
export const detectors: readonly Detector[] = [
  killSwitch,
  balanceSeizure,
  allowanceBypass,
  allowanceForge,
  hiddenMint,
  hiddenOwner,
  hiddenProxy,
  privilegedTransfer,
  alteredApprove,
  alteredTransfer,
  whitelist,
  blacklist,
  tradingSwitch,
  modifiableFee,
  transferLimit,
  transferCooldown,
  externalTransferCall,
  environmentTransfer,
  fakeTransferEvent,
  lyingBalance,
  allowancePuller,
  nativeForwarder,
  arbitraryCall,
  arbitraryWrite,
  dynamicDeployment,
  metamorphicOrigin,
]
