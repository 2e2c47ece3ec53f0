import type { Detector } from '../detector.js'
import { dynamicDeployment } from './dynamic-deployment.js'
import { hiddenProxy } from './hidden-proxy.js'
import { killSwitch } from './kill-switch.js'

/** Every rule that looks at bytecode, worst kind first. */
export const detectors: readonly Detector[] = [killSwitch, hiddenProxy, dynamicDeployment]
