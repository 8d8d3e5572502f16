import "../look/app.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { I18nProvider } from "react-aria-components";
import { createRoot } from "react-dom/client";
import { whenSignedOut } from "./api/session-fetch.ts";
import { createConsoleRouter } from "./routes.tsx";
import { followSystemTheme } from "./shell/theme-choice.ts";

const queries = new QueryClient({
  defaultOptions: {
    // The client already retries; a second layer of retries would multiply the requests.
    queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: true },
  },
});
const router = createConsoleRouter();

whenSignedOut(() => {
  queries.clear();
  // Other pages show a refused sign-in or link themselves.
  if (router.state.location.pathname.includes("/p/")) void router.navigate({ to: "/sign-in" });
});
followSystemTheme();

const place = document.getElementById("root");
if (place === null) throw new Error("the page has no root");
createRoot(place).render(
  <StrictMode>
    <I18nProvider locale="en-US">
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);
