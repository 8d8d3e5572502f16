import { guideRuns } from "../kit/guides/all-guides.ts";
import { describeGuides } from "../kit/guides/describe-guides.ts";

describeGuides(guideRuns.begin);
