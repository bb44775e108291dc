-- Health of an operator.tigera.io Installation or APIServer.
--
-- Healthy needs the condition Ready for the newest generation (the operator renames Available when it copies the
-- conditions here). Degraded is never passed on: the operator sets it in every fresh bring-up, for example "waiting
-- for enabled IP pools to be created", and Argo CD fails the whole sync on the first Degraded object.

local function waiting(message)
  return { status = "Progressing", message = message }
end

local status = obj.status or {}
local ready = nil

for _, condition in ipairs(status.conditions or {}) do
  if condition.type == "Degraded" and condition.status == "True" then
    return waiting("degraded: " .. (condition.message or ""))
  end
  if condition.type == "Ready" then
    ready = condition
  end
end

if ready == nil then
  return waiting("the operator has not reported yet")
end

if (ready.observedGeneration or 0) < (obj.metadata.generation or 0) then
  return waiting("the operator has not seen the newest spec yet")
end

if ready.status ~= "True" then
  return waiting("not ready: " .. (ready.message or ""))
end

-- Only the APIServer has this field.
if obj.kind == "APIServer" and status.state ~= "Ready" then
  return waiting("state is " .. (status.state or "unknown"))
end

return { status = "Healthy", message = "" }
