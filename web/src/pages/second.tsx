// The pages that one opens less often, as one part: a part for each would be a dozen requests.
export { Days } from "./days.tsx";
export { Dreams } from "./dreams.tsx";
export { Exchange } from "./exchange.tsx";
export { Facts } from "./facts.tsx";
export { Forget } from "./forget.tsx";
export { MapPage } from "./map.tsx";
export { Quality } from "./quality.tsx";
export { Sessions } from "./sessions.tsx";
export { Settings } from "./settings.tsx";
export { StatusPage } from "./status.tsx";
