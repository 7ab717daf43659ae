// The page as a person sees it: every selector and every wait of the tests is here, by subject in
// the folder `page`.

import { Desk } from "./page/desk.mjs";
import { Explanations } from "./page/explanations.mjs";
import { Lab } from "./page/lab.mjs";
import { Lessons } from "./page/lessons.mjs";
import { Liveness } from "./page/liveness.mjs";
import { Projection } from "./page/projection.mjs";
import { Refinement } from "./page/refinement.mjs";
import { Shell } from "./page/shell.mjs";
import { Threads } from "./page/threads.mjs";

export class Faultline extends Desk(Lessons(Liveness(Threads(Refinement(Lab(Explanations(Projection(Shell)))))))) {}
